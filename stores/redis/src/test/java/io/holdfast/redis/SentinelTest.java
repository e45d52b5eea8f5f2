package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.HoldfastException;
import io.holdfast.NotReplicatedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Order(7)
@DisplayName("By Sentinel")
@Timeout(150)
class SentinelTest {

    private static final Duration A_WHILE = Duration.ofSeconds(3);

    /** Long enough to know that nobody leaves a replica out. */
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(6);

    /** Longer than any of these tests takes. */
    private static final Duration LEASE = Duration.ofMinutes(5);

    @Test
    @DisplayName(
            "a client that hears from one of three only waits for a replica that this one takes for down: the others"
                    + " may be making it the master")
    void cutOff() {
        try (SentinelServers servers = new SentinelServers(Duration.ofSeconds(1));
                RedisStore store = RedisStore.open(servers.uri() + "&replicas-timeout=200ms", StoreTest.CONFIG)) {
            StoreTest.granted(store, claim("warm"));
            List<RedisServerProcess> sentinels = servers.sentinels();
            RedisServerProcess away = servers.replicasOf(servers.masterOf("")).get(0);
            sentinels.subList(1, 3).forEach(RedisServerProcess::kill);
            away.pause();
            Deployed.await(
                    "taken for down",
                    () -> servers.call(sentinels.get(0), "SENTINEL", "REPLICAS", SentinelServers.MASTER)
                            .toString()
                            .contains("s_down"));
            Claim claim = claim("cut off");
            long end = System.nanoTime() + A_WHILE.toNanos();
            while (System.nanoTime() < end) {
                StoreTest.failure(NotReplicatedException.class, store.claim(claim));
            }
            sentinels.subList(1, 3).forEach(RedisServerProcess::startAgain);
            Deployed.await("granted when the others say so, too", () -> isGranted(store, claim));
        }
    }

    @Test
    @DisplayName("a failover that is asked for while all are up loses nothing that was granted meanwhile")
    void switchover() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        AtomicBoolean over = new AtomicBoolean();
        try (SentinelServers servers = new SentinelServers();
                RedisStore store = RedisStore.open(servers.uri() + "&replicas-timeout=100ms", StoreTest.CONFIG)) {
            RedisServerProcess old = servers.masterOf("");
            AtomicInteger count = new AtomicInteger();
            Future<List<Claim>> granted = thread.submit(() -> {
                List<Claim> claims = new ArrayList<>();
                for (int i = 0; !over.get(); i++) {
                    Claim claim = claim("switch:" + i);
                    if (isGranted(store, claim)) {
                        claims.add(claim);
                        count.incrementAndGet();
                    }
                }
                return claims;
            });
            long end = System.nanoTime() + LONG_ENOUGH.toNanos();
            Deployed.await("under load for a while", () -> count.get() > 50 && System.nanoTime() - end > 0);
            servers.call(servers.sentinels().get(0), "SENTINEL", "FAILOVER", SentinelServers.MASTER);
            Deployed.await("the old master follows the new one", () -> servers.masterOf("") != old && isWhole(servers));
            int before = count.get();
            Deployed.await("grants go on", () -> count.get() > before + 50);
            over.set(true);
            RedisServerProcess next = servers.masterOf("");
            for (Claim claim : granted.get()) {
                String key = Keys.of(ResourceType.LOCK, claim.name()).holders();
                boolean has = servers.on(next, redis -> redis.hexists(key, claim.id()));
                assertTrue(has, claim.name());
            }
        } finally {
            over.set(true);
            thread.shutdownNow();
        }
    }

    private static boolean isWhole(SentinelServers servers) {
        try {
            return servers.isWhole();
        } catch (RedisException notYet) {
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

    private static Claim claim(String name) {
        return new Claim(name, UUID.randomUUID() + ":1", Mode.EXCLUSIVE, LEASE, 1, 1, StoreTest.OWNER);
    }
}
