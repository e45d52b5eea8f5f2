package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.holdfast.spi.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Where connections come from: a pool of our own, or a data source that was given to us. */
final class Connections {

    /** How many connections a pool of our own has besides those for commands: for renewals and for messages. */
    private static final int BESIDES = Lanes.RENEWERS + 2;

    /** The pool is waited for in steps, to see in between why it has no connection. */
    private static final long STEP_MILLIS = 250; // the pool's shortest

    /** Those that were made since the last time are good. */
    private static final long SUSPECT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long a statement waits for a row that another transaction has locked; then the command runs again. */
    private static final long LOCK_MILLIS = 1_000;

    private static final Duration SHORTEST_PATIENCE = Duration.ofSeconds(2);

    private final DataSource source;
    private final @Nullable HikariDataSource own;
    private final @Nullable DriverSource made;
    private final @Nullable SharedFile file;
    private final long timeoutNanos;
    private final int patienceMillis;
    private final AtomicLong suspectedAt = new AtomicLong(System.nanoTime() - SUSPECT_NANOS);

    private Connections(
            DataSource source,
            @Nullable HikariDataSource own,
            @Nullable DriverSource made,
            @Nullable SharedFile file,
            Duration timeout) {
        this.source = source;
        this.own = own;
        this.made = made;
        this.timeoutNanos = timeout.toNanos();
        this.file = file;
        this.patienceMillis = (int) patience(timeout).toMillis();
    }

    /** A pool that connects when it is asked to, so that the database may be away. */
    static Connections pool(JdbcUrl address, StoreConfig config) {
        Properties driver = driver(address, config);
        SharedFile file = address.database() == Database.H2
                ? SharedFile.of(address.url(), driver).orElse(null)
                : null;
        DriverSource made = DriverSource.of(
                address, file == null ? () -> DriverManager.getConnection(address.url(), driver) : file::open);
        HikariDataSource pool = new HikariDataSource(settings(address, config, made));
        return new Connections(pool, pool, made, file, config.timeout());
    }

    /** What the pool is told, and may write to its log. */
    static HikariConfig settings(JdbcUrl address, StoreConfig config, DriverSource made) {
        HikariConfig settings = new HikariConfig();
        settings.setPoolName("holdfast-" + config.clientName());
        settings.setMaximumPoolSize(Lanes.OWN_WORKERS + BESIDES);
        settings.setMinimumIdle(1);
        settings.setConnectionTimeout(STEP_MILLIS);
        settings.setValidationTimeout(Math.max(250, Math.min(config.timeout().toMillis(), 5_000)));
        settings.setInitializationFailTimeout(-1);
        settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        // A client that stands still in the middle of a transaction must not hold up the others for long.
        switch (address.database()) {
            case POSTGRESQL ->
                // And no plan of our statements is better for knowing their values (where that can't be said, so be
                // it), nor
                // for reading a whole table, though there may be few rows when the plan is made.
                settings.setConnectionInitSql("SET idle_in_transaction_session_timeout = 1000; SET lock_timeout = "
                        + lockMillis(config)
                        + "; SET enable_seqscan = off; SELECT set_config(name, 'force_generic_plan', false) FROM pg_settings"
                        + " WHERE name = 'plan_cache_mode'");
            case MYSQL ->
                // MariaDB reads the comment, MySQL does not.
                settings.setConnectionInitSql(
                        "SET SESSION /*M!100300 idle_transaction_timeout = 1, SESSION */ innodb_lock_wait_timeout = 1");
            case H2 -> {} // it is told with the connection
        }
        settings.setDataSource(made);
        return settings;
    }

    private static long lockMillis(StoreConfig config) {
        return Math.min(LOCK_MILLIS, Math.max(1, config.timeout().toMillis()));
    }

    /** What the driver is told besides the URL. */
    private static Properties driver(JdbcUrl address, StoreConfig config) {
        Properties driver = new Properties();
        switch (address.database()) {
            case POSTGRESQL -> {
                driver.setProperty("ApplicationName", config.clientName());
                driver.setProperty("connectTimeout", seconds(config.timeout()));
                driver.setProperty("socketTimeout", seconds(patience(config.timeout())));
                driver.setProperty("tcpKeepAlive", "true");
            }
            case MYSQL -> {
                driver.setProperty("connectTimeout", millis(config.timeout()));
                driver.setProperty("socketTimeout", millis(patience(config.timeout())));
            }
            case H2 -> {
                // Otherwise what was committed is written up to half a second later, and lost with the process that
                // has the file open, while others hold the locks.
                if (!address.url().toUpperCase(Locale.ROOT).contains(";WRITE_DELAY=")) {
                    driver.setProperty("WRITE_DELAY", "0");
                }
                if (!address.url().toUpperCase(Locale.ROOT).contains(";LOCK_TIMEOUT=")) {
                    driver.setProperty("LOCK_TIMEOUT", Long.toString(lockMillis(config)));
                }
            }
        }
        driver.putAll(address.secrets());
        return driver;
    }

    static Connections of(DataSource source, Duration timeout) {
        return new Connections(source, null, null, null, timeout);
    }

    /** A connection that commits each statement and gives up on a database that is silent for too long. */
    Connection open() throws SQLException {
        Connection connection = borrow();
        try {
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
            if (own == null) {
                setTimeout(connection, patienceMillis);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private Connection borrow() throws SQLException {
        long start = System.nanoTime();
        while (true) {
            try {
                return source.getConnection();
            } catch (SQLTransientConnectionException e) {
                if (own == null || made == null || own.isClosed()) {
                    throw e;
                }
                SQLException refusal = made.refusal();
                if (refusal != null && own.getHikariPoolMXBean().getTotalConnections() == 0) {
                    throw new SQLException(
                            refusal.getMessage(), refusal.getSQLState(), refusal.getErrorCode(), refusal);
                }
                // The caller asks again, within its own time, and can say meanwhile what the trouble is.
                SQLException failure = made.failure();
                if (failure != null && own.getHikariPoolMXBean().getTotalConnections() == 0) {
                    throw new SQLTransientConnectionException(
                            failure.getMessage(), failure.getSQLState(), failure.getErrorCode(), failure);
                }
                if (System.nanoTime() - start >= timeoutNanos) {
                    throw e;
                }
            }
        }
    }

    /** Closes a connection that is of no use to its pool any more, without a warning from there. */
    void discard(Connection connection) throws SQLException {
        HikariDataSource pool = own;
        if (pool == null && source.isWrapperFor(HikariDataSource.class)) {
            pool = source.unwrap(HikariDataSource.class);
        }
        if (pool != null) {
            pool.evictConnection(connection);
        }
        connection.close();
    }

    /** Gives a connection back as it was. */
    void close(Connection connection) throws SQLException {
        try (connection) {
            if (own == null && !connection.isClosed()) {
                setTimeout(connection, 0);
            }
        }
    }

    /** Whether all connections read what is committed and nothing else. */
    boolean areIsolated() {
        return own != null;
    }

    /** One connection was broken, so the others may be as well: a pool of our own begins anew, once for all of them. */
    void suspect() {
        long last = suspectedAt.get();
        long now = System.nanoTime();
        HikariPoolMXBean pool = own == null ? null : own.getHikariPoolMXBean();
        if (pool != null && now - last > SUSPECT_NANOS && suspectedAt.compareAndSet(last, now)) {
            pool.softEvictConnections();
        }
    }

    /** Closes a pool of our own. */
    void close() {
        if (made != null) {
            made.close();
        }
        if (own != null) {
            own.close();
        }
        if (file != null) {
            file.close();
        }
    }

    // A data source that has a time-out of its own keeps it.
    private static void setTimeout(Connection connection, int millis) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            if (millis == 0 || before == 0) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
        } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
            return; // then TCP's has to do
        }
    }

    private static Duration patience(Duration timeout) {
        return (timeout.compareTo(SHORTEST_PATIENCE) < 0 ? SHORTEST_PATIENCE : timeout).multipliedBy(2);
    }

    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
    }

    private static String millis(Duration duration) {
        return Long.toString(Math.max(1, duration.toMillis()));
    }
}
