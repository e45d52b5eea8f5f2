package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Outcome;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisServerCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A server that has lost its data")
@Timeout(60)
class EpochTest extends StoreTest {

    private static final Duration SHORT = Duration.ofMillis(1_500);

    @Test
    @DisplayName("grants nothing for a lease to a client that knew it before, and then goes on")
    void holdsBack() {
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore it = RedisStore.open(own.uri(), CONFIG)) {
            granted(it, newClaim(newName()).withLease(SHORT));
            long crash = System.nanoTime();
            own.restart();
            Claim claim = newClaim(newName()).withLease(SHORT);
            await("granted", () -> isGranted(it, claim));
            long waited = System.nanoTime() - crash;
            assertTrue(waited >= SHORT.toNanos(), () -> "granted " + waited / 1_000_000 + " ms after the crash");
        }
    }

    @Test
    @DisplayName("grants nothing to a newcomer either, once one who knew it has come back")
    void leavesWord() {
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore old = RedisStore.open(own.uri(), CONFIG)) {
            granted(old, newClaim(newName()).withLease(LEASE));
            own.restart();
            await("back", () -> !isUnavailable(old.inspect(Kind.LOCK, "any")));
            try (RedisStore newcomer = RedisStore.open(own.uri(), CONFIG)) {
                Duration left = waiting(newcomer, newClaim(newName()).withLease(Duration.ofMillis(10)));
                assertTrue(left.compareTo(LEASE) <= 0 && left.compareTo(LEASE.dividedBy(2)) > 0, left::toString);
            }
        }
    }

    @Test
    @DisplayName("or is another one holds back from tokens that are ahead of its clock, and from no others")
    void aheadOfItsClock() {
        assertEquals(0, holdsBackFor(micros()));
        // Up to one millisecond for each of the two that are rounded up: the token, and the one after it.
        assertWithin(4_000, 5_002, holdsBackFor(micros() + 5_000_000));
    }

    /** For how many milliseconds, where a token was granted elsewhere. */
    private long holdsBackFor(long token) {
        List<Object> answer = redis.eval(
                Script.EPOCH.text(),
                ScriptOutputType.MULTI,
                new String[] {"holdfast:epoch:of-a-test:" + newName()},
                "a-new-one",
                "",
                "0",
                "60000",
                "",
                "",
                "",
                Long.toString(token));
        return new Answer(answer).number(2);
    }

    @Test
    @DisplayName("is told from one whose connections broke, which grants at once")
    void brokenConnection() {
        granted(store, newClaim(newName()));
        redis.clientKill(KillArgs.Builder.typeNormal().skipme());
        await("granted", () -> isGranted(store, newClaim(newName())));
    }

    @Test
    @DisplayName(
            "is told from one that is used for the first time, which grants at once; the epoch does not stay for ever")
    void firstUse() {
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore it = RedisStore.open(own.uri(), CONFIG)) {
            granted(it, newClaim(newName()));
            PlainRedis.on(own, plain -> {
                assertEquals(1, plain.exists("holdfast:epoch"));
                assertTrue(plain.pttl("holdfast:epoch") > 0);
            });
        }
    }

    @Test
    @DisplayName("that comes back with its data grants as before: what is held stays held")
    void keepsItsData() {
        Claim claim = newClaim(newName());
        granted(store, claim);
        redis.scriptFlush();
        redis.clientKill(KillArgs.Builder.typeNormal().skipme());
        await("back", () -> !isUnavailable(store.inspect(Kind.LOCK, claim.name())));
        assertEquals(Set.of(claim.id()), get(store.renew(List.of(claim))).keySet());
        waiting(store, newClaim(claim.name()));
    }

    @Test
    @DisplayName("since its last snapshot gives no lock to two that believe in it either")
    void olderSnapshot(@TempDir Path folder) {
        String name = newName();
        try (RedisServerProcess own = RedisServerProcess.start("--dir", folder.toString());
                RedisStore first = RedisStore.open(own.uri(), CONFIG);
                RedisStore second = RedisStore.open(own.uri(), CONFIG)) {
            granted(second, newClaim(newName()).withLease(SHORT));
            PlainRedis.on(own, RedisServerCommands::save);
            granted(first, newClaim(name).withLease(SHORT));
            long crash = System.nanoTime();
            own.restart();
            Claim claim = newClaim(name).withLease(SHORT);
            await("granted", () -> isGranted(second, claim));
            long waited = System.nanoTime() - crash;
            assertTrue(waited >= SHORT.toNanos(), () -> "granted " + waited / 1_000_000 + " ms after the crash");
        }
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return get(store.claim(claim)) instanceof Outcome.Granted;
        } catch (StoreUnavailableException notYet) {
            return false;
        }
    }

    private static boolean isUnavailable(CompletionStage<?> stage) {
        try {
            get(stage);
            return false;
        } catch (StoreUnavailableException e) {
            return true;
        }
    }
}
