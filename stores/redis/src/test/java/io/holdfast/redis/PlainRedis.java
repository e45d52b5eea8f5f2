package io.holdfast.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.function.Consumer;

/** A way to a server behind the store's back. */
final class PlainRedis {

    private PlainRedis() {}

    static void on(RedisServerProcess server, Consumer<RedisCommands<String, String>> commands) {
        RedisClient client = RedisClient.create(RedisURI.create(server.uri()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            commands.accept(connection.sync());
        } finally {
            client.shutdown();
        }
    }
}
