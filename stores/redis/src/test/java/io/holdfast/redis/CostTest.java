package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the server is asked to do, counted by the server. */
class CostTest extends StoreTest {

    @Test
    @DisplayName("scripts flushed at any time cost one EVAL and no double grant")
    void flushed() {
        String name = newName();
        Claim claim = newClaim(name);
        redis.scriptFlush();
        long token = granted(store, claim);
        redis.scriptFlush();
        assertEquals(token, granted(store, claim));
        redis.scriptFlush();
        waiting(store, newClaim(name));
        redis.scriptFlush();
        assertEquals(Set.of(claim.id()), get(store.renew(List.of(claim))).keySet());
        redis.scriptFlush();
        assertTrue(get(store.release(claim)).held());
    }

    @Test
    @DisplayName("an uncontended lock costs one EVALSHA, and its release another")
    void roundTrips() {
        String name = newName();
        granted(store, newClaim(newName()));
        Claim warm = newClaim(newName());
        granted(store, warm);
        get(store.release(warm));
        redis.configResetstat();
        Claim claim = newClaim(name);
        granted(store, claim);
        get(store.release(claim));
        assertEquals(2, calls("evalsha"));
        // What the scripts do inside is counted as well; nothing else is.
        assertEquals(
                Set.of("evalsha", "exists", "get", "time", "pexpire", "set", "hset", "hdel", "publish"), commands());
    }

    @Test
    @DisplayName("a store that is only there costs nothing, nor does a watch that is in place")
    void idle() {
        granted(store, newClaim(newName()));
        try (Subscription watch = store.watch(Kind.LOCK, newName(), () -> {})) {
            await("in place", () -> commands().contains("subscribe"));
            redis.configResetstat();
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            assertEquals(Set.of(), commands());
        }
    }

    /** Those that were run, apart from the test's own. */
    private Set<String> commands() {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
                .filter(command -> !command.equals("info") && !command.equals("config|resetstat"))
                .collect(Collectors.toSet());
    }
}
