package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.StoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("In a cluster")
@Timeout(120)
class ClusterTest {

    private static ClusterOfServers servers;

    @BeforeAll
    static void start() {
        servers = new ClusterOfServers();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @Test
    @DisplayName(
            "a slot that is moved while its lock is held and wanted takes the lock along, and nobody gets in between")
    void resharding() throws Exception {
        String name = "moved";
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger visits = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        try (Holdfast holder = client();
                Holdfast others = client();
                Holdfast more = client()) {
            Lease held = holder.lock(name).acquire();
            AtomicInteger lost = new AtomicInteger();
            held.onLost(lease -> lost.incrementAndGet());
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            List<Future<Void>> visitors = new ArrayList<>();
            for (Holdfast client : List.of(others, others, more)) {
                visitors.add(threads.submit((Callable<Void>) () -> {
                    DistributedLock lock = client.lock(name);
                    while (!enough.get()) {
                        try (Lease lease = lock.acquire()) {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            visits.incrementAndGet();
                            Thread.sleep(2);
                            inside.decrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            RedisServerProcess from = servers.masterOf(name);
            move(name);
            assertNotEquals(from, servers.masterOf(name));
            assertEquals(0, visits.get());
            assertTrue(held.isValid());
            held.extend(Duration.ofSeconds(20));
            assertEquals(0, lost.get());
            inside.decrementAndGet();
            held.close();
            StoreTest.await("the others get it", () -> visits.get() > 20);
            move(name);
            int before = visits.get();
            StoreTest.await("they go on", () -> visits.get() > before + 20);
            enough.set(true);
            for (Future<Void> visitor : visitors) {
                visitor.get(30, TimeUnit.SECONDS);
            }
            assertEquals(1, most.get());
        } finally {
            enough.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName(
            "what is renewed, given back and asked for while a slot is being moved comes through, at the latest then")
    void duringMigration() throws Exception {
        String name = "window";
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Holdfast holder = client();
                Holdfast other = client()) {
            Lease held = holder.lock(name).acquire();
            Lease read = holder.readWriteLock("{window}:read").readLock().acquire();
            AtomicInteger lost = new AtomicInteger();
            held.onLost(lease -> lost.incrementAndGet());
            read.onLost(lease -> lost.incrementAndGet());
            Migration migration = new Migration(name, anotherMaster(name));
            migration.moveKeys(() -> {});
            held.extend(Duration.ofSeconds(15)); // all that it takes is there
            Future<?> renewed = threads.submit(() -> read.extend(Duration.ofSeconds(15)));
            CompletableFuture<?> givenBack = held.closeAsync().toCompletableFuture();
            CompletableFuture<Lease> contended = other.lock(name).acquireAsync();
            StoreTest.await("all are told to try again", () -> migration.triedAgain() >= 6);
            assertFalse(renewed.isDone() || givenBack.isDone() || contended.isDone());
            migration.finish();
            renewed.get(10, TimeUnit.SECONDS);
            givenBack.get(10, TimeUnit.SECONDS);
            try (Lease next = contended.get(10, TimeUnit.SECONDS)) {
                assertTrue(next.isValid());
            }
            assertTrue(read.isValid());
            assertEquals(0, lost.get());
            read.close();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("a master that is just being given its first slot renews what it has of it")
    void firstSlot() {
        try (RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            Claim held = claim("first");
            StoreTest.granted(store, held);
            RedisServerProcess joined = servers.join();
            Migration migration = new Migration(held.name(), joined);
            migration.moveKeys(() -> {});
            Deployed.await("renewed at both", () -> isRenewed(store, held));
            migration.finish();
            Deployed.await("renewed at the new one", () -> isRenewed(store, held));
            assertTrue(StoreTest.get(store.release(held)).held());
        }
        Deployed.await("all in their places", servers::isWhole);
    }

    @Test
    @DisplayName("a new client needs no answer from a master that stands still, for what another one keeps")
    void newcomer() {
        List<RedisServerProcess> masters =
                servers.nodes().stream().filter(servers::isMaster).toList();
        for (RedisServerProcess stuck : masters) {
            String name = keptElsewhere(stuck);
            stuck.pause();
            try (RedisStore store = RedisStore.open(servers.uri() + "?replicas-timeout=5s", StoreTest.CONFIG)) {
                Claim claim = claim(name);
                StoreTest.granted(store, claim);
                StoreTest.get(store.release(claim));
            } finally {
                stuck.resume();
            }
        }
        Deployed.await("all in their places", servers::isWhole);
    }

    @Test
    @DisplayName("a master that stands still holds up the renewal of nothing that another one keeps")
    void independent() {
        try (RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            String stuck = "stuck";
            RedisServerProcess master = servers.masterOf(stuck);
            Claim there = claim(stuck);
            Claim elsewhere = claim(keptElsewhere(master));
            assertNotEquals(store.shard(stuck), store.shard(elsewhere.name()));
            StoreTest.granted(store, there);
            StoreTest.granted(store, elsewhere);
            master.pause();
            try {
                CompletableFuture<?> waiting = store.renew(List.of(there)).toCompletableFuture();
                assertEquals(Map.of(elsewhere.id(), ClaimStatus.HELD), StoreTest.get(store.renew(List.of(elsewhere))));
                assertFalse(waiting.isDone());
            } finally {
                master.resume();
            }
        }
        Deployed.await("all in their places", servers::isWhole);
    }

    @Test
    @DisplayName("a watch that began while no server answered is in place when they do")
    void watchesLater() {
        StoreConfig hasty = new StoreConfig("holdfast-test", Duration.ofMillis(200));
        servers.nodes().forEach(RedisServerProcess::pause);
        try (RedisStore store = RedisStore.open(servers.uri(), hasty)) {
            AtomicInteger calls = new AtomicInteger();
            store.watch(Resource.lock("watched"), calls::incrementAndGet);
            StoreTest.failure(StoreUnavailableException.class, store.claim(claim("nobody answers")));
            servers.nodes().forEach(RedisServerProcess::resume);
            StoreTest.await("in place", () -> calls.get() > 0);
        } finally {
            servers.nodes().forEach(RedisServerProcess::resume);
            Deployed.await("all in their places", servers::isWhole);
        }
    }

    private static Holdfast client() {
        return Holdfast.builder()
                .uri(servers.uri())
                .lease(Duration.ofSeconds(10))
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    /** Gives the slot of a name to another master, key by key, as an operator would. */
    private static void move(String name) {
        Migration migration = new Migration(name, anotherMaster(name));
        migration.moveKeys(ClusterTest::pause); // so that commands come in between
        pause();
        migration.finish();
    }

    /** A slot that is being moved. */
    private static final class Migration {
        private final String name;
        private final int slot;
        private final RedisServerProcess from;
        private final RedisServerProcess to;
        private final String toId;

        Migration(String name, RedisServerProcess to) {
            this.name = name;
            this.slot = Keys.slot(name);
            this.from = servers.masterOf(name);
            this.to = to;
            this.toId = servers.on(to, redis -> redis.clusterMyId());
            String fromId = servers.on(from, redis -> redis.clusterMyId());
            servers.on(to, redis -> redis.clusterSetSlotImporting(slot, fromId));
            servers.on(from, redis -> redis.clusterSetSlotMigrating(slot, toId));
        }

        void moveKeys(Runnable beforeEach) {
            while (true) {
                List<String> keys = servers.on(from, redis -> redis.clusterGetKeysInSlot(slot, 1));
                if (keys.isEmpty()) {
                    break;
                }
                beforeEach.run();
                servers.call(from, "MIGRATE", "127.0.0.1", to.port(), keys.get(0), 0, 2_000);
            }
        }

        /** How often somebody has been told to try again. */
        long triedAgain() {
            return told(from) + told(to);
        }

        private static long told(RedisServerProcess server) {
            return servers.on(server, redis -> redis.info("errorstats"))
                    .lines()
                    .filter(line -> line.startsWith("errorstat_TRYAGAIN:count="))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
                    .sum();
        }

        void finish() {
            servers.on(to, redis -> redis.clusterSetSlotNode(slot, toId));
            servers.on(from, redis -> redis.clusterSetSlotNode(slot, toId));
            Deployed.await("the slot has moved", () -> servers.masterOf(name) == to);
        }
    }

    private static RedisServerProcess anotherMaster(String name) {
        RedisServerProcess from = servers.masterOf(name);
        return servers.nodes().stream()
                .filter(node -> node != from && servers.isMaster(node))
                .findFirst()
                .orElseThrow();
    }

    private static String keptElsewhere(RedisServerProcess master) {
        int i = 0;
        while (servers.masterOf("free:" + i) == master) {
            i++;
        }
        return "free:" + i;
    }

    private static boolean isRenewed(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.renew(List.of(claim))).equals(Map.of(claim.id(), ClaimStatus.HELD));
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Claim claim(String name) {
        return new Claim(name, "cluster:" + name.hashCode(), Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
