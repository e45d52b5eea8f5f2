package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.Guarantee;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The guarantee that a store tells")
@Timeout(60)
class GuaranteeTest {

    @Test
    @DisplayName("is that of a single server where redis-replica:// names one host, unless its replicas are counted")
    void oneHost() {
        try (RedisServerProcess server = RedisServerProcess.start()) {
            String uri = "redis-replica://127.0.0.1:" + server.port();
            try (RedisStore one = RedisStore.open(uri, StoreTest.CONFIG);
                    RedisStore counted = RedisStore.open(uri + "?replicas=1", StoreTest.CONFIG)) {
                assertEquals(Guarantee.SINGLE, one.traits().guarantee());
                assertEquals(Guarantee.REPLICATED, counted.traits().guarantee());
            }
        }
    }

    @Test
    @DisplayName("is that of a single server where a cluster has no replicas, unless its replicas are counted")
    void clusterWithoutReplicas(@TempDir Path folder) {
        try (RedisServerProcess server =
                RedisServerProcess.start("--cluster-enabled", "yes", "--dir", folder.toString())) {
            PlainRedis.on(server, redis -> {
                for (int slot = 0; slot < 16_384; slot += 1_024) {
                    redis.clusterAddSlots(IntStream.range(slot, slot + 1_024).toArray());
                }
            });
            String uri = "redis-cluster://127.0.0.1:" + server.port();
            try (RedisStore one = RedisStore.open(uri, StoreTest.CONFIG);
                    RedisStore counted = RedisStore.open(uri + "?replicas=1", StoreTest.CONFIG)) {
                StoreTest.await("known", () -> one.traits().guarantee() == Guarantee.SINGLE);
                assertEquals(Guarantee.REPLICATED, counted.traits().guarantee());
            }
        }
    }
}
