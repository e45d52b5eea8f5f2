package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.NotReplicatedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time that passes while nothing is granted is taken off the record at the new master. */
@Order(3)
@DisplayName("A replica that was left out and is promoted without what was granted meanwhile")
@Timeout(180)
class LaggardTest {

    private static final Duration A_WHILE = Duration.ofSeconds(4);
    private static final String NAME = "held";
    private static final String PARAMETERS = "replicas-timeout=300ms";

    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger claims = new AtomicInteger();

    @Test
    @DisplayName("grants nothing that another believes in, by Sentinel")
    void sentinel() {
        try (SentinelServers servers = new SentinelServers(Duration.ofSeconds(1))) {
            grantsNothing(servers, servers.uri() + "&" + PARAMETERS);
        }
    }

    @Test
    @DisplayName("grants nothing that another believes in, in a cluster")
    void cluster() {
        try (ClusterOfServers servers = new ClusterOfServers(Duration.ofMillis(1_500), List.of(), 2)) {
            grantsNothing(servers, servers.uri() + "?" + PARAMETERS);
        }
    }

    @Test
    @DisplayName("grants nothing that another believes in, by hand")
    void replica() {
        try (ReplicatedServers servers = new ReplicatedServers(2)) {
            grantsNothing(servers, servers.uri() + "?" + PARAMETERS);
        }
    }

    private void grantsNothing(Deployed servers, String uri) {
        try (RedisStore store = RedisStore.open(uri, StoreTest.CONFIG)) {
            Claim released = claim("released");
            Deployed.await("granted while all are there", () -> isGranted(store, released));
            Claim known = claim("known to all");
            Deployed.await("granted while all are there", () -> isGranted(store, known));
            Claim held = claim(NAME);
            RedisServerProcess laggard = promoteLaggard(servers, NAME, () -> isGranted(store, held));
            try (RedisStore newcomer = RedisStore.open(uri, StoreTest.CONFIG)) {
                long end = System.nanoTime() + A_WHILE.toNanos();
                while (System.nanoTime() < end) {
                    assertFalse(isGranted(store, claim(NAME)));
                    assertFalse(isGranted(newcomer, claim(NAME)));
                }
                assertEquals(Map.of(), StoreTest.get(store.renew(List.of(held))));
                if (servers.masterOf(known.name()) == laggard) {
                    Deployed.await("what it has is renewed", () -> isRenewed(store, known));
                    assertTrue(StoreTest.get(store.release(released)).held());
                }
                // For the first moments of a doubt, a client asks again soon.
                Deployed.await(
                        "in doubt for the length of a lease",
                        () -> StoreTest.waiting(store, claim(NAME)).compareTo(Duration.ofSeconds(15)) > 0);
                servers.passMinutes(laggard);
                Claim next = claim(NAME);
                Deployed.await("granted once the leases are over", () -> isGranted(newcomer, next));
                assertTrue(StoreTest.get(newcomer.release(next)).held());
                Deployed.await("granted to all", () -> isGranted(store, claim(NAME)));
            }
        }
    }

    @Test
    @DisplayName("has its holders told at once")
    void tells() throws Exception {
        Duration lease = Duration.ofMinutes(1);
        try (SentinelServers servers = new SentinelServers(Duration.ofSeconds(1));
                Holdfast holdfast = Holdfast.builder()
                        .uri(servers.uri() + "&" + PARAMETERS)
                        .lease(lease)
                        .build()) {
            holdfast.lock("warm").acquire().close();
            AtomicInteger told = new AtomicInteger();
            promoteLaggard(servers, NAME, () -> {
                try {
                    Lease held = holdfast.lock(NAME).acquire();
                    held.onLost(lost -> told.incrementAndGet());
                    assertTrue(holdfast.lock("by itself").tryLock(Duration.ofSeconds(1), lease));
                    return true;
                } catch (HoldfastException | InterruptedException notYet) {
                    return false;
                }
            });
            // A renewal is due a third of a minute after the grant.
            StoreTest.await("told", Duration.ofSeconds(10), () -> told.get() == 1);
            StoreTest.await(
                    "told",
                    Duration.ofSeconds(5),
                    () -> !holdfast.lock("by itself").isHeldByCurrentThread());
        }
    }

    @Test
    @DisplayName("is known by all of its clients to have been left out for leases that they have not used before")
    void longerLease() {
        try (SentinelServers servers = new SentinelServers(Duration.ofSeconds(1));
                RedisStore store = RedisStore.open(servers.uri() + "&" + PARAMETERS, StoreTest.CONFIG)) {
            Claim noted = claim("noted").withLease(Duration.ofMinutes(2));
            Deployed.await("granted while all are there", () -> isGranted(store, noted));
            RedisServerProcess master = servers.masterOf("");
            Deployed.await(
                    "all replicas know",
                    () -> servers.on(master, redis -> redis.get("holdfast:tenure"))
                            .matches("\\S+ \\d+ 120000 120000 .*"));
            RedisServerProcess away = servers.replicasOf(master).get(0);
            away.pause();
            Claim minute = claim("a minute").withLease(Duration.ofMinutes(1));
            Deployed.await("left out", () -> isGranted(store, minute));
            assertTrue(isGranted(store, claim("noted as well").withLease(Duration.ofMinutes(2))));
            Claim longer = claim("longer").withLease(Duration.ofMinutes(3));
            NotReplicatedException e = StoreTest.failure(NotReplicatedException.class, store.claim(longer));
            assertTrue(e.getMessage().contains("leases of 180 s"), e.getMessage());
            StoreTest.failure(NotReplicatedException.class, store.renew(List.of(longer)));
            Map<String, ClaimStatus> some = StoreTest.get(store.renew(List.of(longer, minute)));
            assertEquals(Map.of(longer.id(), ClaimStatus.UNKNOWN, minute.id(), ClaimStatus.HELD), some);
            away.resume();
            Deployed.await("granted when it is back", () -> isGranted(store, longer));
        }
    }

    /** Has one replica miss what is granted, and then take the master's place; {@code grant} tries to get something. */
    private static RedisServerProcess promoteLaggard(Deployed servers, String name, BooleanSupplier grant) {
        RedisServerProcess master = servers.masterOf(name);
        List<RedisServerProcess> replicas = servers.replicasOf(master);
        RedisServerProcess laggard = replicas.get(0);
        servers.prefer(laggard, replicas);
        laggard.pause();
        servers.fallBehind(master, name);
        Deployed.await("granted without it", grant);
        master.kill();
        laggard.resume();
        if (servers instanceof ReplicatedServers && !(servers instanceof SentinelServers)) {
            servers.call(laggard, "REPLICAOF", "NO", "ONE");
            servers.call(replicas.get(1), "REPLICAOF", "127.0.0.1", laggard.port());
        }
        Deployed.await("promoted", () -> isPromoted(servers, name, master));
        assertSame(laggard, servers.masterOf(name));
        return laggard;
    }

    private static boolean isPromoted(Deployed servers, String name, RedisServerProcess before) {
        try {
            RedisServerProcess now = servers.masterOf(name);
            return now != before && servers.isMaster(now);
        } catch (RuntimeException nobodyAnswers) {
            return false;
        }
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    private static boolean isRenewed(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.renew(List.of(claim))).equals(Map.of(claim.id(), ClaimStatus.HELD));
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    private Claim claim(String name) {
        return new Claim(
                name, client + ":" + claims.incrementAndGet(), Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
