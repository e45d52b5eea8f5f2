package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Resource;
import io.lettuce.core.KillArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            await("back", () -> !isUnavailable(old.inspect(Resource.lock("any"))));
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
        await("back", () -> !isUnavailable(store.inspect(Resource.lock(claim.name()))));
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

    @ParameterizedTest(name = "{0}")
    @CsvSource({"true", "false"})
    @DisplayName("and is full grants nothing either before it was seen whether it has, with its epoch or without")
    void olderSnapshotOfAFullServer(boolean withEpoch, @TempDir Path folder) {
        String name = newName();
        String[] options = {"--dir", folder.toString(), "--maxmemory-policy", "noeviction", "--maxmemory", "4mb"};
        try (RedisServerProcess own = RedisServerProcess.start(options)) {
            setConfig(own, "maxmemory", "0");
            if (!withEpoch) {
                fillAndSave(own);
            }
            try (RedisStore first = RedisStore.open(own.uri(), CONFIG);
                    RedisStore second = RedisStore.open(own.uri(), CONFIG)) {
                granted(second, newClaim(newName()).withLease(SHORT));
                if (withEpoch) {
                    fillAndSave(own);
                }
                granted(first, newClaim(name).withLease(SHORT));
                long crash = System.nanoTime();
                own.restart();
                Claim claim = newClaim(name).withLease(SHORT);
                await("asked", () -> !isUnavailable(second.claim(claim)));
                setConfig(own, "maxmemory", "0");
                await("granted", () -> isGranted(second, claim));
                long waited = System.nanoTime() - crash;
                assertTrue(waited >= SHORT.toNanos(), () -> "granted " + waited / 1_000_000 + " ms after the crash");
            }
        }
    }

    private static void fillAndSave(RedisServerProcess server) {
        PlainRedis.on(server, plain -> {
            plain.set("other", "x".repeat(5_000_000));
            plain.save();
        });
    }

    @Test
    @DisplayName(
            "and takes no writes at first grants nothing before it was seen; it is told why, and what is held is told gone")
    void withoutEnoughReplicas() {
        String name = newName();
        try (RedisServerProcess own = RedisServerProcess.start("--min-replicas-to-write", "1")) {
            setConfig(own, "min-replicas-to-write", "0");
            try (RedisStore first = RedisStore.open(own.uri(), CONFIG);
                    RedisStore second = RedisStore.open(own.uri(), CONFIG)) {
                granted(second, newClaim(newName()).withLease(SHORT));
                Claim held = newClaim(name).withLease(SHORT);
                granted(first, held);
                long crash = System.nanoTime();
                own.restart();
                Claim claim = newClaim(name).withLease(SHORT);
                await("refused", () -> isRefused("NOREPLICAS", second.claim(claim)));
                await("told", () -> isUnavailable(first.renew(List.of(held))) || isGone(first, held));
                setConfig(own, "min-replicas-to-write", "0");
                await("granted", () -> isGranted(second, claim));
                long waited = System.nanoTime() - crash;
                assertTrue(waited >= SHORT.toNanos(), () -> "granted " + waited / 1_000_000 + " ms after the crash");
            }
        }
    }

    @Test
    @DisplayName("can't be told from another by a user who may not look, and grants nothing to that user")
    void mayNotLook() {
        redis.dispatch(
                CommandType.ACL,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8)
                        .add("SETUSER")
                        .addValues(
                                "blind",
                                "reset",
                                "on",
                                ">pass",
                                "+@all",
                                "~test:*",
                                "~holdfast:lock:*",
                                "~holdfast:claims:*")
                        .addValues("&*"));
        try (RedisStore blind = RedisStore.open("redis://blind:pass@127.0.0.1:" + server.port(), CONFIG)) {
            Claim claim = newClaim(newName());
            StoreRefusedException e = failure(StoreRefusedException.class, blind.claim(claim));
            assertTrue(e.getMessage().contains("NOPERM"), e.getMessage());
            assertFalse(get(blind.release(claim)).held());
        }
    }

    @Test
    @DisplayName("is known by its run where the epoch is kept under another key than before")
    void anotherKey() {
        assertEquals("lost", tagFor("", "another-run"));
        assertEquals("same", tagFor("", ""));
    }

    @Test
    @DisplayName("is known by its run where there is no place for an epoch")
    void withoutKey() {
        String run = redis.info("server")
                .lines()
                .filter(line -> line.startsWith("run_id:"))
                .map(line -> line.substring("run_id:".length()))
                .findFirst()
                .orElseThrow();
        assertEquals("lost", tagFor(null, "another-run"));
        assertEquals("same", tagFor(null, run));
    }

    private String tagFor(@Nullable String before, String run) {
        String[] keys = before == null ? new String[0] : new String[] {"holdfast:epoch:of-a-test:" + newName()};
        List<Object> answer = redis.eval(
                Script.EPOCH.text(),
                ScriptOutputType.MULTI,
                keys,
                "a-new-one",
                "",
                "1000",
                "60000",
                "d",
                run,
                run,
                "0");
        return new Answer(answer).tag();
    }

    private static void setConfig(RedisServerProcess server, String option, String value) {
        PlainRedis.on(server, plain -> plain.configSet(option, value));
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (StoreUnavailableException | StoreRefusedException notYet) {
            return false;
        }
    }

    private static boolean isRefused(String code, CompletionStage<?> stage) {
        try {
            get(stage);
            return false;
        } catch (StoreUnavailableException notYet) {
            return false;
        } catch (StoreRefusedException e) {
            return e.getMessage().contains(code);
        }
    }

    private static boolean isGone(RedisStore store, Claim claim) {
        return get(store.renew(List.of(claim))).isEmpty();
    }

    private static boolean isUnavailable(CompletionStage<?> stage) {
        try {
            get(stage);
            return false;
        } catch (StoreRefusedException e) {
            return false;
        } catch (StoreUnavailableException e) {
            return true;
        }
    }
}
