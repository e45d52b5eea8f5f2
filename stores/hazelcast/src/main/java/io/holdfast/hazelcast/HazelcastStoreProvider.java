package io.holdfast.hazelcast;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Opens {@code hazelcast://} URIs; see {@link HazelcastStore#open}. */
public final class HazelcastStoreProvider implements LockStoreProvider {

    public HazelcastStoreProvider() {}

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("hazelcast");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return HazelcastStore.open(uri, config);
    }
}
