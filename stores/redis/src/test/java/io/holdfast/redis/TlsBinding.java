package io.holdfast.redis;

import io.holdfast.spi.ResourceType;
import io.holdfast.tck.StoreBinding;

/** A server that is reached over TLS only, with a client's certificate, as the user with the fewest rights. */
interface TlsBinding extends StoreBinding {

    @Override
    default String uri() {
        return SharedServers.tls().uri();
    }

    @Override
    default void forget(String name) {
        PlainRedis.on(
                SharedServers.tls().server(),
                redis -> redis.del(Keys.of(ResourceType.LOCK, name).holders()));
    }
}
