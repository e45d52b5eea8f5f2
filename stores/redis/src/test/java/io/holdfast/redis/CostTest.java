package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What the server is asked to do, counted by the server. */
@Isolated("counts commands")
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
    @DisplayName("the same for readers, permits and places")
    void flushedLines() {
        String name = newName();
        Claim reader = newClaim(name, Mode.SHARED, QueuePolicy.QUEUES);
        Claim writer = newClaim(name, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
        Claim permits = newPermits(name, 1, 1, QueuePolicy.QUEUES);
        redis.scriptFlush();
        long token = granted(store, reader);
        redis.scriptFlush();
        assertEquals(token, granted(store, reader));
        redis.scriptFlush();
        waiting(store, writer);
        redis.scriptFlush();
        token = granted(store, permits);
        redis.scriptFlush();
        assertEquals(token, granted(store, permits));
        redis.scriptFlush();
        assertEquals(2, get(store.addPermits(name, "id", 1, 1)));
        redis.scriptFlush();
        assertEquals(
                Map.of(reader.id(), ClaimStatus.HELD, writer.id(), ClaimStatus.WAITING, permits.id(), ClaimStatus.HELD),
                get(store.renew(List.of(reader, writer, permits))));
        redis.scriptFlush();
        assertTrue(get(store.release(reader)).held());
        redis.scriptFlush();
        assertTrue(get(store.inspect(Resource.semaphore(name))).isLocked());
        redis.scriptFlush();
        assertTrue(get(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())));
        granted(store, writer);
    }

    @Test
    @DisplayName("a plain lock costs the server no more commands than it did before there were others")
    void commandsInside() {
        Claim claim = newClaim(newName());
        granted(store, newClaim(newName()));
        redis.configResetstat();
        granted(store, claim);
        assertEquals(
                Map.of("evalsha", 1L, "time", 1L, "exists", 1L, "get", 1L, "set", 1L, "pexpire", 1L, "hset", 1L),
                counts());
        redis.configResetstat();
        waiting(store, newClaim(claim.name()));
        // GET: the record says whether its holder is to be asked for it.
        assertEquals(Map.of("evalsha", 1L, "exists", 1L, "pttl", 1L, "type", 1L, "hexists", 1L, "get", 1L), counts());
        redis.configResetstat();
        get(store.renew(List.of(claim)));
        assertEquals(Map.of("evalsha", 1L, "hget", 1L, "pexpire", 1L), counts());
        redis.configResetstat();
        get(store.release(claim));
        assertEquals(Map.of("evalsha", 1L, "exists", 1L, "hdel", 1L, "publish", 1L), counts());
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
        try (Subscription watch = store.watch(Resource.lock(newName()), () -> {})) {
            await("in place", () -> commands().contains("subscribe"));
            redis.configResetstat();
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            assertEquals(Set.of(), commands());
        }
    }

    /** Those that were run, apart from the test's own. */
    private Set<String> commands() {
        return counts().keySet();
    }

    private Map<String, Long> counts() {
        return redis.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_"))
                .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
                .filter(command -> !command.equals("info") && !command.equals("config|resetstat"))
                .collect(Collectors.toMap(command -> command, this::calls));
    }
}
