package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas are promoted by hand here, so that it is known when. */
@DisplayName("After a promotion")
@Timeout(60)
class PromotionTest {

    /** Longer than it takes to notice, and to take one for down that is not. */
    private static final Duration A_WHILE = Duration.ofSeconds(7);

    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger claims = new AtomicInteger();

    @Test
    @DisplayName("what was held is held at the new master, and its token stays the highest but for the next")
    void survives() {
        try (ReplicatedServers servers = new ReplicatedServers(2);
                RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            Claim held = claim("held", StoreTest.LEASE);
            long token = granted(store, held);
            promote(servers);
            Deployed.await("renewed", () -> isRenewed(store, held));
            StoreTest.waiting(store, claim("held", StoreTest.LEASE));
            assertTrue(StoreTest.get(store.release(held)).held());
            assertTrue(granted(store, claim("held", StoreTest.LEASE)) > token);
        }
    }

    @Test
    @DisplayName("that lost the last token, at a clock that is behind it, no lower one is granted")
    void tokensRise() {
        try (ReplicatedServers servers = new ReplicatedServers(1)) {
            tokensRise(servers, servers.uri());
        }
    }

    @Test
    @DisplayName("nor is it where nobody can tell one server from another, as INFO is not allowed")
    void tokensRiseWithoutInfo() {
        AclUser known = AclUser.of("replica");
        AclUser user = new AclUser(
                known.name(),
                known.rules().stream().filter(rule -> !rule.equals("+info")).toList());
        try (ReplicatedServers servers = new ReplicatedServers(1)) {
            servers.nodes().forEach(user::at);
            tokensRise(servers, user.in(servers.uri()));
        }
    }

    private void tokensRise(ReplicatedServers servers, String uri) {
        Duration lease = Duration.ofMillis(200);
        List<RedisServerProcess> replicas = servers.replicasOf(servers.first);
        try (RedisStore store = RedisStore.open(uri + "?replicas=none", StoreTest.CONFIG)) {
            StoreTest.granted(store, claim("warm", lease));
            Deployed.await(
                    "the epoch is on the replica",
                    () -> servers.on(replicas.get(0), redis -> redis.exists(Keys.ofSlot("epoch", -1))) == 1);
            replicas.forEach(RedisServerProcess::pause);
            long ahead = System.currentTimeMillis() * 1_000 + 4_000_000;
            servers.on(
                    servers.first,
                    redis -> redis.set(Keys.of(ResourceType.LOCK, "fenced").record(), ahead + " 1 1 x\na\nb\n1\nc"));
            long last = StoreTest.granted(store, claim("fenced", lease));
            assertEquals(ahead + 1, last);
            servers.first.kill();
            replicas.forEach(RedisServerProcess::resume);
            for (RedisServerProcess replica : replicas) {
                servers.call(replica, "REPLICAOF", "NO", "ONE");
                // What was on its way when it stood still has arrived since.
                servers.on(
                        replica,
                        redis -> redis.del(
                                "fenced", Keys.of(ResourceType.LOCK, "fenced").record()));
            }
            long next = granted(store, claim("fenced", lease));
            assertTrue(next > last, next + " after " + last);
        }
    }

    @Test
    @DisplayName("an old master that comes back is not listened to, though it says that it is one")
    void staleMaster() {
        try (ReplicatedServers servers = new ReplicatedServers(2);
                RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            Claim held = claim("held", StoreTest.LEASE);
            granted(store, held);
            servers.first.pause();
            promote(servers);
            Deployed.await("renewed at the new one", () -> isRenewed(store, held));
            servers.first.resume();
            assertTrue(servers.isMaster(servers.first));
            isGrantedByTheNewOne(servers, store);
            try (RedisStore late = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
                isGrantedByTheNewOne(servers, late); // which has seen nothing but two masters
            }
        }
    }

    @ParameterizedTest(name = "where its history is known: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("nothing that the old master grants counts, though another replica still follows it")
    void promotedAlone(boolean told) {
        try (ReplicatedServers servers = new ReplicatedServers(2);
                RedisStore store = RedisStore.open(told(servers, told) + "?replicas-timeout=200ms", StoreTest.CONFIG)) {
            Claim warm = claim("warm", StoreTest.LEASE);
            Deployed.await("granted while all are there", () -> isGranted(store, warm));
            RedisServerProcess next = servers.replicasOf(servers.first).get(0);
            RedisServerProcess other = servers.replicasOf(servers.first).get(1);
            servers.call(next, "REPLICAOF", "NO", "ONE");
            long end = System.nanoTime() + A_WHILE.toNanos();
            while (System.nanoTime() < end) {
                assertFalse(isGranted(store, claim("early:" + UUID.randomUUID(), StoreTest.LEASE)));
            }
            servers.call(other, "REPLICAOF", "127.0.0.1", next.port());
            // The other one may have acknowledged something that the new master lacks.
            Deployed.await("in doubt", () -> servers.isInDoubt(next));
            Claim late = claim("late", StoreTest.LEASE);
            assertFalse(isGranted(store, late));
            servers.passMinutes(next);
            Deployed.await("granted by the new one", () -> isGranted(store, late));
            long there = servers.on(next, redis -> redis.exists("late"));
            assertEquals(1, there);
        }
    }

    /** As a user who may ask for INFO, by which servers tell of their histories, or may not. */
    private static String told(ReplicatedServers servers, boolean told) {
        if (told) {
            return servers.uri();
        }
        List<String> rules = AclUser.of("replica").rules().stream()
                .filter(rule -> !rule.equals("+info"))
                .toList();
        AclUser user = new AclUser("holdfast-untold", rules);
        servers.nodes().forEach(user::at);
        return user.in(servers.uri());
    }

    private void isGrantedByTheNewOne(ReplicatedServers servers, RedisStore store) {
        String name = "other:" + UUID.randomUUID();
        Claim other = claim(name, StoreTest.LEASE);
        Deployed.await("granted by the new one", () -> isGranted(store, other));
        long there = servers.on(servers.first, redis -> redis.exists(name));
        assertEquals(0, there);
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    /** Ends the first master, unless it only stands still, and has its first replica follow nobody and the others follow it. */
    private static void promote(ReplicatedServers servers) {
        List<RedisServerProcess> replicas = servers.replicasOf(servers.first);
        RedisServerProcess next = replicas.get(0);
        if (answers(servers)) {
            servers.first.kill();
        }
        servers.call(next, "REPLICAOF", "NO", "ONE");
        replicas.stream()
                .filter(replica -> replica != next)
                .forEach(replica -> servers.call(replica, "REPLICAOF", "127.0.0.1", next.port()));
    }

    private static boolean answers(ReplicatedServers servers) {
        return servers.isMaster(servers.first);
    }

    /** Its token, once there are enough replicas and a master that may grant. */
    private static long granted(RedisStore store, Claim claim) {
        AtomicLong token = new AtomicLong();
        Deployed.await("granted", () -> {
            try {
                if (StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted granted) {
                    token.set(granted.token());
                }
            } catch (HoldfastException notYet) {
                return false;
            }
            return token.get() > 0;
        });
        return token.get();
    }

    private static boolean isRenewed(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.renew(List.of(claim))).equals(Map.of(claim.id(), ClaimStatus.HELD));
        } catch (HoldfastException | IllegalStateException notYet) {
            return false;
        }
    }

    private Claim claim(String name, Duration lease) {
        return new Claim(name, client + ":" + claims.incrementAndGet(), Mode.EXCLUSIVE, lease, 1, 1, StoreTest.OWNER);
    }
}
