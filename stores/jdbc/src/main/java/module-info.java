/** Locks kept in a relational database. */
module io.holdfast.jdbc {
    requires transitive io.holdfast;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires static org.jspecify;
    requires static org.postgresql.jdbc;
    requires org.slf4j;

    exports io.holdfast.jdbc;

    provides io.holdfast.spi.LockStoreProvider with
            io.holdfast.jdbc.JdbcStoreProvider;
}
