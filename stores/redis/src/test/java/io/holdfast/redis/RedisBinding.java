package io.holdfast.redis;

import io.holdfast.spi.ResourceType;
import io.holdfast.tck.StoreBinding;
import java.util.List;

/** One Redis server, which all suites share. */
interface RedisBinding extends StoreBinding {

    @Override
    default String uri() {
        return SharedServers.single().uri();
    }

    @Override
    default void forget(String name) {
        PlainRedis.on(
                SharedServers.single(),
                redis -> redis.del(Keys.of(ResourceType.LOCK, name).holders()));
    }

    @Override
    default List<String> oddNames() {
        return List.of(
                Keys.of(ResourceType.LOCK, "a").record(),
                Keys.of(ResourceType.LOCK, "{a}").record(),
                Keys.of(ResourceType.LOCK, "a{}b").record(),
                Keys.of(ResourceType.LOCK, "a").channel(),
                Keys.of(ResourceType.LOCK, "holdfast:a").holders(),
                Keys.of(ResourceType.LOCK, "holdfast:a").record(),
                "holdfast:a",
                "holdfast:",
                "holdfast:hash:{a}",
                "holdfast:lock:{a}",
                "redisson_lock__channel:{a}",
                "redisson_lock__channel:a");
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "redis:",
                "redis://",
                "redis:host",
                "redis://:" + PASSWORD + "@",
                "redis://user:" + PASSWORD + "@host:port",
                "redis://user:" + PASSWORD + "@host:99999",
                "redis://user:" + PASSWORD + "@ho st",
                "redis://user:" + PASSWORD + "@host/x",
                "redis://user:" + PASSWORD + "@host?what=this",
                "rediss://user:" + PASSWORD + "%@host");
    }

    @Override
    default List<String> secretUris() {
        return List.of("redis://user:" + PASSWORD + "@127.0.0.1:1", "rediss://:" + PASSWORD + "@127.0.0.1:1/3");
    }
}
