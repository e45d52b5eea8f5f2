package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Guarantee;
import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands are taken away as hosted services do it. */
@DisplayName("A server that lacks a command")
@Timeout(90)
class DegradedServerTest {

    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger claims = new AtomicInteger();

    @Test
    @DisplayName("WAIT is used without, says so once, and promises no more than a single server")
    void withoutWait() {
        try (Logged logged = new Logged();
                ReplicatedServers servers = new ReplicatedServers(1, "--rename-command", "WAIT", "");
                RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            locksWork(store);
            assertEquals(Guarantee.SINGLE, store.traits().guarantee());
            Claim again = claim("again");
            servers.on(servers.first, redis -> redis.clientKill(KillArgs.Builder.typeNormal()));
            StoreTest.await("connected again", () -> isGranted(store, again));
            assertEquals(1, logged.count("has no WAIT"));
        }
    }

    @Test
    @DisplayName("INFO is told by its data from one that was restarted, and is used as any other")
    void withoutInfo() {
        try (RedisServerProcess server = RedisServerProcess.start("--rename-command", "INFO", "");
                RedisStore store = RedisStore.open(server.uri(), StoreTest.CONFIG)) {
            locksWork(store);
            Claim held = claim("held over a broken connection");
            StoreTest.granted(store, held);
            Claim again = claim("again");
            PlainRedis.on(server, redis -> redis.clientKill(KillArgs.Builder.typeNormal()));
            StoreTest.await("connected again", () -> isGranted(store, again));
            assertEquals(Map.of(held.id(), ClaimStatus.HELD), StoreTest.get(store.renew(List.of(held))));
        }
    }

    @Test
    @DisplayName("SPUBLISH, in a cluster, has its waiters told on channels of the whole cluster")
    void withoutShardedChannels() {
        try (ClusterOfServers servers =
                        new ClusterOfServers(Duration.ofSeconds(5), List.of("--rename-command", "SPUBLISH", ""));
                RedisStore store = RedisStore.open(servers.uri(), StoreTest.CONFIG)) {
            locksWork(store);
        }
    }

    private void locksWork(RedisStore store) {
        AtomicInteger calls = new AtomicInteger();
        Claim claim = claim("lock");
        StoreTest.await("granted", () -> isGranted(store, claim));
        StoreTest.waiting(store, claim("lock"));
        assertEquals(Map.of(claim.id(), ClaimStatus.HELD), StoreTest.get(store.renew(List.of(claim))));
        try (Subscription watch = store.watch(Resource.lock("lock"), calls::incrementAndGet)) {
            StoreTest.await("in place", () -> calls.get() == 1);
            assertTrue(StoreTest.get(store.release(claim)).held());
            StoreTest.await("told", () -> calls.get() >= 2);
        }
    }

    private static boolean isGranted(RedisStore store, Claim claim) {
        try {
            return StoreTest.get(store.claim(claim)) instanceof ClaimResult.Granted;
        } catch (HoldfastException notYet) {
            return false;
        }
    }

    private Claim claim(String name) {
        return new Claim(
                name, client + ":" + claims.incrementAndGet(), Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
