package io.holdfast.tck.served;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Serves {@code served:port}: the store of a {@link StoreServer} on this machine. */
public final class ServedStoreProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("served");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return new ServedStore(Integer.parseInt(uri.substring("served:".length())));
    }
}
