package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Servers that go away and come back, connections that break, and stores that are closed. */
class ReconnectTest extends StoreTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    @BeforeEach
    void serverAnswers() {
        await("the plain client is connected", () -> {
            try {
                return redis.ping().equals("PONG");
            } catch (RuntimeException e) {
                return false;
            }
        });
    }

    @Test
    @DisplayName("a store that was opened without a server works as soon as there is one")
    void openedBefore() {
        try (RedisServerProcess late = RedisServerProcess.start()) {
            late.kill();
            try (RedisStore early = RedisStore.open(late.uri(), CONFIG)) {
                AtomicInteger calls = new AtomicInteger();
                early.watch(Resource.lock(newName()), calls::incrementAndGet);
                for (int i = 0; i < 5; i++) {
                    failure(StoreUnavailableException.class, early.claim(newClaim(newName())));
                }
                late.startAgain();
                granted(early, newClaim(newName()));
                await("watch in place", SOON, () -> calls.get() == 1);
            }
        }
    }

    @Test
    @DisplayName(
            "what is asked for while there is no connection yet is sent in that order: no release overtakes its claim")
    void inOrder() {
        try (RedisServerProcess own = RedisServerProcess.start()) {
            own.pause();
            try (RedisStore it = RedisStore.open(own.uri(), CONFIG)) {
                List<CompletionStage<ClaimResult>> outcomes = new ArrayList<>();
                List<CompletionStage<ReleaseResult>> releases = new ArrayList<>();
                String name = newName();
                for (int i = 0; i < 20; i++) {
                    Claim claim = newClaim(name);
                    outcomes.add(it.claim(claim));
                    releases.add(it.release(claim));
                }
                own.resume();
                outcomes.forEach(outcome -> assertTrue(get(outcome) instanceof ClaimResult.Granted));
                releases.forEach(release -> assertTrue(get(release).held()));
                assertFalse(get(it.inspect(Resource.lock(name))).isLocked());
            }
        }
    }

    @Test
    @DisplayName("a server that was killed and comes back empty is used again soon, watches included")
    void restarted() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore it = RedisStore.open(own.uri(), CONFIG);
                Subscription watch = it.watch(Resource.lock(name), calls::incrementAndGet)) {
            Claim claim = newClaim(name).withLease(Duration.ofMillis(200));
            long token = granted(it, claim);
            await("watch in place", () -> calls.get() == 1);
            own.kill();
            await("noticed", () -> isUnavailable(it.inspect(Resource.lock(name))));
            own.startAgain();
            await("answers", SOON, () -> !isUnavailable(it.inspect(Resource.lock(name))));
            await("watch in place again", SOON, () -> calls.get() >= 2);
            assertTrue(get(it.renew(List.of(claim))).isEmpty());
            Claim next = newClaim(name).withLease(Duration.ofMillis(200));
            await(
                    "granted",
                    SOON,
                    () -> get(it.claim(next)) instanceof ClaimResult.Granted granted && granted.token() > token + 9);
            int before = calls.get();
            get(it.forceRelease(Resource.lock(name), OptionalLong.empty()));
            await("told", SOON, () -> calls.get() > before);
        }
    }

    @Test
    @DisplayName("connections that the server closes are made again, and watches are told to look")
    void killed() {
        String name = newName();
        AtomicInteger calls = new AtomicInteger();
        try (Subscription watch = store.watch(Resource.lock(name), calls::incrementAndGet)) {
            await("watch in place", () -> calls.get() == 1);
            Claim claim = newClaim(name);
            granted(store, claim);
            assertEquals(1, redis.clientKill(KillArgs.Builder.typePubsub()));
            await("watch in place again", SOON, () -> calls.get() == 2);
            assertEquals(1, redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
            await("answers", SOON, () -> !isUnavailable(store.renew(List.of(claim))));
            int before = calls.get();
            assertTrue(get(store.release(claim)).held());
            await("told", SOON, () -> calls.get() > before);
        }
    }

    @Test
    @DisplayName("a late answer is still an answer")
    void lateAnswer() {
        Claim claim = newClaim(newName());
        granted(store, newClaim(newName()));
        server.pause();
        CompletableFuture<ClaimResult> outcome;
        try {
            outcome = store.claim(claim).toCompletableFuture();
            CompletableFuture<ClaimResult> late = outcome;
            assertFalse(holds(Duration.ofMillis(300), late::isDone));
        } finally {
            server.resume();
        }
        assertTrue(get(outcome) instanceof ClaimResult.Granted);
    }

    @Test
    @DisplayName("what was unanswered when the connection broke fails, and is not sent again")
    void unanswered() {
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore it = RedisStore.open(own.uri(), CONFIG)) {
            granted(it, newClaim(newName()));
            own.pause();
            List<Claim> claims = new ArrayList<>();
            List<CompletionStage<ClaimResult>> outcomes = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Claim claim = newClaim(newName());
                claims.add(claim);
                outcomes.add(it.claim(claim));
            }
            own.kill();
            for (CompletionStage<ClaimResult> outcome : outcomes) {
                failure(StoreUnavailableException.class, outcome);
            }
            own.startAgain();
            await("answers", SOON, () -> !isUnavailable(it.claim(newClaim(newName()))));
            for (Claim claim : claims) {
                assertFalse(get(it.inspect(Resource.lock(claim.name()))).isLocked());
            }
        }
    }

    @Test
    @DisplayName("a connection on which nothing comes back any more is given up, and the next command makes another")
    void silent() {
        try (RedisServerProcess own = RedisServerProcess.start();
                RedisStore it = RedisStore.open(own.uri() + "?timeout=500ms", CONFIG)) {
            granted(it, newClaim(newName()));
            own.pause();
            CompletionStage<ClaimResult> first = it.claim(newClaim(newName()));
            await("given up", Duration.ofSeconds(8), () -> {
                it.claim(newClaim(newName()));
                return first.toCompletableFuture().isDone();
            });
            failure(StoreUnavailableException.class, first);
            own.resume();
            await("answers", Duration.ofSeconds(2), () -> !isUnavailable(it.claim(newClaim(newName()))));
        }
    }

    @Test
    @DisplayName("no call blocks, however dead the server is, and a connection attempt ends in its time")
    void neverBlocks() {
        RedisServerProcess own = RedisServerProcess.start();
        own.pause();
        try (own;
                RedisStore it = RedisStore.open(own.uri() + "?timeout=4s", CONFIG)) {
            long start = System.nanoTime();
            Claim claim = newClaim(newName());
            List<CompletionStage<?>> stages = List.of(
                    it.claim(claim),
                    it.renew(List.of(claim)),
                    it.release(claim),
                    it.inspect(Resource.lock(claim.name())),
                    it.list(ResourceType.LOCK, "", 10),
                    it.forceRelease(Resource.lock(claim.name()), OptionalLong.empty()));
            it.watch(Resource.lock(claim.name()), () -> {}).close();
            long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
            assertTrue(took < 4_000, () -> took + " ms"); // as one that waits would take
            stages.forEach(stage -> failure(StoreUnavailableException.class, stage));
            own.resume();
            await("answers", SOON, () -> !isUnavailable(it.claim(newClaim(newName()))));
        }
    }

    @Test
    @DisplayName("closing ends in time, fails what waits, and leaves no thread behind")
    void close() {
        try (RedisServerProcess own = RedisServerProcess.start()) {
            RedisStore connected = RedisStore.open(own.uri(), CONFIG);
            connected.watch(Resource.lock(newName()), () -> {});
            granted(connected, newClaim(newName()));
            own.pause();
            RedisStore connecting = RedisStore.open(own.uri(), CONFIG);
            List<CompletionStage<?>> stages =
                    List.of(connected.claim(newClaim(newName())), connecting.claim(newClaim(newName())));
            connecting.watch(Resource.lock(newName()), () -> {});
            for (RedisStore it : List.of(connected, connecting)) {
                long start = System.nanoTime();
                it.close();
                it.close();
                long took = Duration.ofNanos(System.nanoTime() - start).toMillis();
                assertTrue(took < 3_500, () -> took + " ms");
            }
            stages.forEach(stage -> failure(StoreUnavailableException.class, stage));
            StoreUnavailableException e =
                    failure(StoreUnavailableException.class, connected.claim(newClaim(newName())));
            assertTrue(e.getMessage().contains("closed"), e.getMessage());
        }
    }

    @Test
    @DisplayName("the server's list of clients shows the client's name")
    void clientName() {
        granted(store, newClaim(newName()));
        assertTrue(redis.clientList().contains("name=holdfast-test"));
    }

    @Test
    @DisplayName("a given client is used and is still there when the store is closed")
    void givenClient() {
        RedisClient client = RedisClient.create(server.uri());
        try {
            for (RedisStore it : List.of(
                    RedisStore.using(client), RedisStore.using(client, RedisURI.create("127.0.0.1", server.port())))) {
                try (it) {
                    String name = newName();
                    AtomicInteger calls = new AtomicInteger();
                    it.watch(Resource.lock(name), calls::incrementAndGet);
                    await("in place", () -> calls.get() == 1);
                    Claim claim = newClaim(name);
                    granted(it, claim);
                    redis.clientKill(KillArgs.Builder.typePubsub());
                    redis.clientKill(KillArgs.Builder.typeNormal().skipme());
                    await("answers", SOON, () -> !isUnavailable(it.renew(List.of(claim))));
                    await("in place again", SOON, () -> calls.get() >= 2);
                    get(it.release(claim));
                    await("told", SOON, () -> calls.get() >= 3);
                }
            }
            try (var connection = client.connect()) {
                assertEquals("PONG", connection.sync().ping());
            }
            long left = redis.clientList().lines().count();
            await(
                    "only the plain client is left",
                    () -> redis.clientList().lines().count() <= left);
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("a given client that knows no server says so")
    void givenClientWithoutServer() {
        RedisClient client = RedisClient.create();
        try (RedisStore it = RedisStore.using(client)) {
            StoreRefusedException e = failure(StoreRefusedException.class, it.claim(newClaim(newName())));
            assertTrue(e.getMessage().contains("using(client, uri)"), e.getMessage());
            assertFalse(e.retryable());
        } finally {
            client.shutdown();
        }
    }

    private static boolean isUnavailable(CompletionStage<?> stage) {
        try {
            get(stage);
            return false;
        } catch (StoreUnavailableException e) {
            return true;
        } catch (HoldfastException e) {
            throw e;
        }
    }

    /** Whether the condition comes true within the time. */
    private static boolean holds(Duration atMost, java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < end) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
