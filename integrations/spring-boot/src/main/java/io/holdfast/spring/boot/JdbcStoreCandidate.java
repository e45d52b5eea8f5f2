package io.holdfast.spring.boot;

import io.holdfast.jdbc.JdbcStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import javax.sql.DataSource;

/** A store on connections of the application's pool, which stays the application's. */
final class JdbcStoreCandidate implements StoreCandidate {

    private final DataSource dataSource;

    JdbcStoreCandidate(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public StoreType type() {
        return StoreType.JDBC;
    }

    @Override
    public String origin() {
        return "the DataSource";
    }

    @Override
    public LockStore open(StoreConfig config) {
        return JdbcStore.using(dataSource);
    }
}
