package io.holdfast.jdbc;

import io.holdfast.Guarantee;
import io.holdfast.spi.StoreTraits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that locks can be kept in. */
public enum Database {
    /** PostgreSQL, 11 or later. */
    POSTGRESQL("PostgreSQL", "org.postgresql:postgresql"),
    /** MySQL, 8.0 or later, and MariaDB, 10.5 or later. */
    MYSQL("MySQL", "org.mariadb.jdbc:mariadb-java-client or com.mysql:mysql-connector-j"),
    /** H2, 2.2 or later. */
    H2("H2", "com.h2database:h2");

    private final String title;
    private final String driver;

    Database(String title, String driver) {
        this.title = title;
        this.driver = driver;
    }

    String title() {
        return title;
    }

    /** The driver's artifact, for messages. */
    String driver() {
        return driver;
    }

    Dialect dialect() {
        return switch (this) {
            case POSTGRESQL -> new PostgresDialect();
            case MYSQL -> new MySqlDialect();
            case H2 -> new H2Dialect();
        };
    }

    /** @param url without its parameters; only H2's says more than the product does */
    StoreTraits traits(String url) {
        if (this != H2) {
            return new StoreTraits(Guarantee.DURABLE, true);
        }
        String where = url.toLowerCase(Locale.ROOT);
        if (where.startsWith("jdbc:h2:tcp:") || where.startsWith("jdbc:h2:ssl:")) {
            // Not DURABLE: by default an H2 server writes what was committed up to half a second later.
            return new StoreTraits(Guarantee.SINGLE, true);
        }
        return new StoreTraits(Guarantee.LOCAL, where.contains("auto_server=true"));
    }

    /** Which database a connection leads to. */
    static Database of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        for (Database database : values()) {
            if (product.startsWith(database.title.toLowerCase(Locale.ROOT))) {
                return database;
            }
        }
        if (product.startsWith("mariadb")) {
            return MYSQL;
        }
        throw new IllegalArgumentException(
                "locks can't be kept in " + product + ": PostgreSQL, MySQL, MariaDB and H2 do");
    }
}
