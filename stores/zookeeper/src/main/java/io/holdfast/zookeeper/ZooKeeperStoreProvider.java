package io.holdfast.zookeeper;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Opens {@code zookeeper://} URIs; see {@link ZooKeeperStore#open}. */
public final class ZooKeeperStoreProvider implements LockStoreProvider {

    public ZooKeeperStoreProvider() {}

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("zookeeper");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return ZooKeeperStore.open(uri, config);
    }
}
