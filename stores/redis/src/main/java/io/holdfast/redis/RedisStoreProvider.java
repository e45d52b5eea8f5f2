package io.holdfast.redis;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Opens {@code redis://} and {@code rediss://} URIs; see {@link RedisStore#open}. */
public final class RedisStoreProvider implements LockStoreProvider {

    public RedisStoreProvider() {}

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("redis") || scheme.equals("rediss");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return RedisStore.open(uri, config);
    }
}
