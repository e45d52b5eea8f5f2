package io.holdfast.redis;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.ResourceType;
import io.holdfast.tck.StoreBinding;
import java.util.List;

/** A quorum of three servers, which all suites share. */
interface RedisQuorumBinding extends StoreBinding {

    @Override
    default String uri() {
        return SharedServers.quorum().uri();
    }

    @Override
    default LockStore newStore() {
        return new SettledStore(StoreBinding.super.newStore());
    }

    @Override
    default boolean tellsAllTheSameToken() {
        return false;
    }

    @Override
    default void forget(String name) {
        SharedServers.quorum()
                .all()
                .forEach(server -> PlainRedis.on(
                        server,
                        redis -> redis.del(Keys.of(ResourceType.LOCK, name).holders())));
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "redis-quorum:",
                "redis-quorum://",
                "redis-quorum://a,b",
                "redis-quorum://a,b,b",
                "redis-quorum://a,,b",
                "redis-quorum://user:" + PASSWORD + "@a:1,b:2",
                "redis-quorum://user:" + PASSWORD + "@a:1,b:2,a:1",
                "redis-quorum://user:" + PASSWORD + "@a:1,b:2,c:port",
                "redis-quorum://user:" + PASSWORD + "@a:1,b:2,c:3/x",
                "rediss-quorum://user:" + PASSWORD + "%@a,b,c");
    }

    @Override
    default List<String> secretUris() {
        return List.of(
                "redis-quorum://user:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2,127.0.0.1:3",
                "rediss-quorum://:" + PASSWORD + "@127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/3");
    }
}
