package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.NotReplicatedException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("What has to be on the replicas before it counts")
@Timeout(60)
class BarrierTest {

    private static final String PARAMETERS = "?replicas-timeout=300ms";
    private static final String ID = UUID.randomUUID().toString();
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static ReplicatedServers servers;

    @BeforeAll
    static void start() {
        servers = new ReplicatedServers(2);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @AfterEach
    void resume() {
        servers.nodes().forEach(RedisServerProcess::resume);
        Deployed.await("in sync", servers::isWhole);
    }

    /** A replica that is in sync may still be slow to answer, when it is new or stood still. */
    @BeforeEach
    void catchUp() {
        try (RedisStore store = open("?replicas=2&replicas-timeout=300ms")) {
            Claim warm = claim("all answer " + COUNT);
            Deployed.await("all answer", () -> isGranted(store, warm));
        }
    }

    @Test
    @DisplayName("is refused as something to try again while no replica has it, and given back")
    void refused() throws Exception {
        try (RedisStore store = open("");
                Holdfast holdfast = Holdfast.builder()
                        .uri(servers.uri() + PARAMETERS)
                        .timeout(Duration.ofSeconds(9)) // it has a third of that for an answer
                        .build()) {
            StoreTest.granted(store, claim("before"));
            holdfast.lock("warm 1").acquire().close();
            stopReplicas(2);
            long start = System.nanoTime();
            NotReplicatedException e =
                    StoreTest.failure(NotReplicatedException.class, store.claim(claim("without replicas")));
            assertTrue(e.retryable());
            assertTrue(e.getMessage().startsWith("lock 'without replicas' is not safe from a failover: 0 of 2"));
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos());
            assertThrows(
                    NotReplicatedException.class,
                    () -> holdfast.lock("taken back").tryLock());
            StoreTest.await(
                    "given back",
                    () -> !StoreTest.get(store.inspect(Resource.lock("taken back")))
                            .isLocked());
        }
    }

    @Test
    @DisplayName("counts as soon as the replicas are back, for who has waited so long")
    void waits() throws Exception {
        try (Holdfast holdfast = Holdfast.builder()
                .uri(servers.uri() + PARAMETERS)
                .timeout(Duration.ofSeconds(20))
                .build()) {
            holdfast.lock("warm 2").acquire().close();
            stopReplicas(2);
            CompletionStage<Lease> asked = holdfast.lock("waits").acquireAsync();
            long before = calls("wait");
            StoreTest.await("tried", () -> calls("wait") > before);
            assertFalse(asked.toCompletableFuture().isDone());
            servers.nodes().forEach(RedisServerProcess::resume);
            try (Lease lease = StoreTest.get(asked)) {
                assertTrue(lease.isValid());
            }
        }
    }

    @Test
    @DisplayName("is waited for together")
    void shared() {
        try (RedisStore store = open("")) {
            StoreTest.granted(store, claim("warm 3"));
            long before = calls("wait");
            List<CompletionStage<ClaimResult>> outcomes = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                outcomes.add(store.claim(claim("together:" + i)));
            }
            outcomes.forEach(outcome -> assertTrue(StoreTest.get(outcome) instanceof ClaimResult.Granted));
            long waits = calls("wait") - before;
            assertTrue(waits < 100, () -> waits + " WAITs for 500 grants");
        }
    }

    @Test
    @DisplayName("holds up nothing else: what is held is renewed at the server, given back and looked at meanwhile")
    void holdsUpNothing() {
        try (RedisStore store = open("?replicas-timeout=5s")) {
            Claim held = claim("held");
            Claim other = claim("other");
            StoreTest.granted(store, held);
            StoreTest.granted(store, other);
            stopReplicas(2);
            CompletionStage<ClaimResult> waiting = store.claim(claim("waiting"));
            CompletionStage<Map<String, ClaimStatus>> renewed =
                    store.renew(List.of(held.withLease(Duration.ofMinutes(10))));
            long start = System.nanoTime();
            assertTrue(StoreTest.get(store.release(other)).held());
            assertTrue(StoreTest.get(store.inspect(Resource.lock("held")))
                            .holders()
                            .get(0)
                            .timeLeft()
                            .compareTo(Duration.ofMinutes(9))
                    > 0);
            assertTrue(System.nanoTime() - start < Duration.ofSeconds(3).toNanos());
            assertFalse(waiting.toCompletableFuture().isDone());
            assertFalse(renewed.toCompletableFuture().isDone());
            servers.nodes().forEach(RedisServerProcess::resume);
            assertEquals(Map.of(held.id(), ClaimStatus.HELD), StoreTest.get(renewed));
            assertTrue(StoreTest.get(waiting) instanceof ClaimResult.Granted);
        }
    }

    @Test
    @DisplayName("is a renewal, too: a lease that the replicas do not know of is told lost by its deadline")
    void renewal() throws Exception {
        try (Holdfast holdfast = Holdfast.builder()
                .uri(servers.uri() + PARAMETERS)
                .lease(Duration.ofSeconds(2))
                .build()) {
            Lease lease = holdfast.lock("kept").acquire();
            stopReplicas(2);
            AtomicInteger told = new AtomicInteger();
            lease.onLost(lost -> told.incrementAndGet());
            StoreTest.await("told", Duration.ofSeconds(4), () -> told.get() == 1);
            assertFalse(lease.isValid());
        }
    }

    @Test
    @DisplayName("is a renewal on a full server, too: what is held stays held, also over a new connection")
    void full() {
        try (RedisStore store = open("");
                RedisStore connected = open("")) {
            Claim held = claim("held on a full server");
            StoreTest.granted(store, held);
            servers.on(servers.first, redis -> redis.configSet("maxmemory", "1"));
            try (RedisStore late = open("")) {
                for (RedisStore each : List.of(store, connected, late)) {
                    assertEquals(Map.of(held.id(), ClaimStatus.HELD), StoreTest.get(each.renew(List.of(held))));
                }
                StoreRefusedException e =
                        StoreTest.failure(StoreRefusedException.class, store.claim(claim("new on a full server")));
                assertTrue(e.getMessage().contains("OOM"), e.getMessage());
                assertTrue(StoreTest.get(store.release(held)).held());
            } finally {
                servers.on(servers.first, redis -> redis.configSet("maxmemory", "0"));
            }
        }
    }

    @Test
    @DisplayName("is not waited for without end over a connection that has fallen silent: another one is made")
    void silent() {
        try (SilencingProxy proxy = new SilencingProxy(servers.first.port());
                RedisStore store = RedisStore.open(
                        "redis://127.0.0.1:" + proxy.port() + "?replicas=2&replicas-timeout=300ms&timeout=1s",
                        StoreTest.CONFIG)) {
            Claim held = claim("held in silence");
            StoreTest.granted(store, held);
            proxy.silence("WAIT");
            CompletionStage<ClaimResult> stuck = store.claim(claim("stuck"));
            Deployed.await("given up", () -> {
                store.renew(List.of(held));
                return stuck.toCompletableFuture().isDone();
            });
            StoreTest.failure(StoreUnavailableException.class, stuck);
            Claim next = claim("after silence");
            StoreTest.await("granted", () -> isGranted(store, next));
        }
    }

    @Test
    @DisplayName("may be fewer than all, and then one that stands still does not matter")
    void number() {
        try (RedisStore one = open("?replicas=1");
                RedisStore both = open("?replicas=2&replicas-timeout=300ms")) {
            StoreTest.granted(one, claim("warm 4"));
            StoreTest.granted(both, claim("warm 5 as well"));
            stopReplicas(1);
            StoreTest.granted(one, claim("one"));
            StoreTest.failure(NotReplicatedException.class, both.claim(claim("both")));
        }
    }

    @Test
    @DisplayName("is all that could be promoted by default: who is down does not count, but one has to have it")
    void all() {
        try (RedisStore store = open("?replicas-timeout=300ms")) {
            StoreTest.granted(store, claim("warm 6"));
            stopReplicas(1);
            Claim patient = claim("patient");
            StoreTest.failure(NotReplicatedException.class, store.claim(patient));
            Deployed.await("one is down", () -> isGranted(store, patient));
            stopReplicas(2);
            StoreTest.failure(NotReplicatedException.class, store.claim(claim("nobody")));
        }
    }

    @Test
    @DisplayName("may be nothing, and then nothing is waited for, and no more is promised than of a single server")
    void none() {
        try (RedisStore store = open("?replicas=none")) {
            assertEquals(Guarantee.SINGLE, store.traits().guarantee());
            stopReplicas(2);
            long before = calls("wait");
            StoreTest.granted(store, claim("none"));
            assertEquals(before, calls("wait"));
        }
    }

    @Test
    @DisplayName("of a single server is as many as it is told")
    void single() {
        String uri = servers.first.uri();
        try (RedisStore two = RedisStore.open(uri + "?replicas=2", StoreTest.CONFIG);
                RedisStore three = RedisStore.open(uri + "?replicas=3&replicas-timeout=100ms", StoreTest.CONFIG)) {
            assertEquals(Guarantee.REPLICATED, two.traits().guarantee());
            StoreTest.granted(two, claim("two"));
            StoreTest.failure(NotReplicatedException.class, three.claim(claim("three")));
        }
    }

    private static RedisStore open(String parameters) {
        return RedisStore.open(servers.uri() + parameters, StoreTest.CONFIG);
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    private static void stopReplicas(int number) {
        servers.replicasOf(servers.first).subList(0, number).forEach(RedisServerProcess::pause);
    }

    private static long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(servers.on(servers.first, redis -> redis.info("commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static Claim claim(String name) {
        return new Claim(
                name, ID + ":" + COUNT.incrementAndGet(), Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
