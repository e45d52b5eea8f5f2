package io.holdfast.etcd;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** {@code etcd://host:port,…} and {@code etcds://host:port,…}: see {@link EtcdAddress}. */
public final class EtcdStoreProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("etcd") || scheme.equals("etcds");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return EtcdStore.open(EtcdAddress.parse(uri), config);
    }
}
