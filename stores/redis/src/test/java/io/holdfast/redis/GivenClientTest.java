package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Guarantee;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One server's is in {@link ReconnectTest}. */
@DisplayName("A Lettuce client that is there already is used, and is still there when the store is closed,")
@Timeout(90)
class GivenClientTest {

    @Test
    @DisplayName("with Sentinel")
    void sentinel() {
        RedisClient client = RedisClient.create();
        try (SentinelServers servers = new SentinelServers()) {
            RedisURI uri = RedisURI.create("redis-sentinel://" + ReplicatedServers.addresses(servers.sentinels())
                    + "/0#" + SentinelServers.MASTER);
            try (RedisStore store = RedisStore.using(client, uri)) {
                works(store, servers);
            }
            try (var connection = client.connect(uri)) {
                assertEquals("PONG", connection.sync().ping());
            }
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("with a master and its replicas")
    void replicated() {
        RedisClient client = RedisClient.create();
        try (ReplicatedServers servers = new ReplicatedServers(2)) {
            List<RedisURI> nodes = uris(servers.nodes());
            try (RedisStore store = RedisStore.using(client, nodes, ReplicationBarrier.all())) {
                works(store, servers);
            }
            try (var connection = client.connect(nodes.get(0))) {
                assertEquals("PONG", connection.sync().ping());
            }
        } finally {
            client.shutdown();
        }
    }

    @Test
    @DisplayName("with a cluster")
    void cluster() {
        try (ClusterOfServers servers = new ClusterOfServers()) {
            List<RedisURI> nodes = uris(servers.nodes());
            RedisClusterClient client = RedisClusterClient.create(nodes);
            try {
                try (RedisStore store = RedisStore.using(client, nodes.subList(0, 2), ReplicationBarrier.all())) {
                    works(store, servers);
                }
                try (var connection = client.connect()) {
                    assertEquals("PONG", connection.sync().ping());
                }
            } finally {
                client.shutdown();
            }
        }
    }

    private static void works(RedisStore store, Deployed servers) {
        assertEquals(Guarantee.REPLICATED, store.traits().guarantee());
        for (String name : List.of("given", "client", "works")) {
            AtomicInteger calls = new AtomicInteger();
            store.watch(Resource.lock(name), calls::incrementAndGet);
            StoreTest.await("in place", () -> calls.get() == 1);
            Claim claim = claim(name);
            StoreTest.granted(store, claim);
            String key = Keys.of(ResourceType.LOCK, name).holders();
            for (RedisServerProcess replica : servers.replicasOf(servers.masterOf(key))) {
                boolean has = servers.on(replica, redis -> {
                    redis.getStatefulConnection().async().readOnly();
                    return redis.hexists(key, claim.id());
                });
                assertTrue(has);
            }
            StoreTest.waiting(store, claim(name));
            assertEquals(Map.of(claim.id(), ClaimStatus.HELD), StoreTest.get(store.renew(List.of(claim))));
            assertTrue(StoreTest.get(store.release(claim)).held());
            StoreTest.await("told", () -> calls.get() >= 2);
        }
    }

    private static List<RedisURI> uris(List<RedisServerProcess> servers) {
        return servers.stream()
                .map(server -> RedisURI.create("127.0.0.1", server.port()))
                .toList();
    }

    private static Claim claim(String name) {
        return new Claim(name, UUID.randomUUID() + ":1", Mode.EXCLUSIVE, StoreTest.LEASE, 1, 1, StoreTest.OWNER);
    }
}
