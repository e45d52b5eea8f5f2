package io.holdfast.tck.small;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Serves {@code small:name}. */
public final class SmallStoreProvider implements LockStoreProvider {

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("small");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return SmallStore.of(uri);
    }
}
