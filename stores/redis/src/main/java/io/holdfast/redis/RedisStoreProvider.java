package io.holdfast.redis;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Opens the URIs of Redis; see {@link RedisStore#open(String, StoreConfig)}. */
public final class RedisStoreProvider implements LockStoreProvider {

    public RedisStoreProvider() {}

    @Override
    public boolean serves(String scheme) {
        return RedisAddress.serves(scheme);
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return RedisStore.open(uri, config);
    }
}
