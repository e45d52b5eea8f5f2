package io.holdfast.jdbc;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.StoreConfig;

/** Opens {@code jdbc:} URIs; see {@link JdbcStore#open}. */
public final class JdbcStoreProvider implements LockStoreProvider {

    public JdbcStoreProvider() {}

    @Override
    public boolean serves(String scheme) {
        return scheme.equals("jdbc");
    }

    @Override
    public LockStore open(String uri, StoreConfig config) {
        return JdbcStore.open(uri, config);
    }
}
