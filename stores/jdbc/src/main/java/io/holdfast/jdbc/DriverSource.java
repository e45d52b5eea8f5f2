package io.holdfast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a driver, for a pool that need not know how they are made: what a pool is told of a URL and of
 * properties is in its log and its messages.
 */
class DriverSource implements DataSource {

    /** Makes a connection. */
    interface Opening {
        Connection open() throws SQLException;
    }

    private final Opening opening;
    private final JdbcUrl address;
    private final Errors errors;

    /** Why the last connection was not made; {@code null} if it was. */
    private volatile @Nullable SQLException failure;

    /** The pool's thread while it pauses between two attempts. */
    private @Nullable Thread pausing;

    private boolean closed;

    private DriverSource(JdbcUrl address, Opening opening) {
        this.address = address;
        this.opening = opening;
        this.errors = new Errors(address.description(), address.database());
    }

    static DriverSource of(JdbcUrl address, Opening opening) {
        return address.url().startsWith("jdbc:mysql:")
                ? new ForMysql(address, opening)
                : new DriverSource(address, opening);
    }

    /** HikariCP sets the time-out of a connection in the thread that uses it where the name of the source says MySQL. */
    private static final class ForMysql extends DriverSource {
        ForMysql(JdbcUrl address, Opening opening) {
            super(address, opening);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        begin();
        try {
            Connection connection = opening.open();
            failure = null;
            return connection;
        } catch (SQLException e) {
            SQLException told = address.withoutSecrets(e);
            failure = told;
            pause();
            throw told;
        }
    }

    private synchronized void begin() throws SQLException {
        pausing = null;
        if (closed) {
            throw new SQLException("closed by this client");
        }
    }

    private synchronized void pause() {
        pausing = Thread.currentThread();
    }

    /**
     * No connection is made any more. The pool's thread may pause for seconds after a failure, and closing the pool waits
     * for it, so it is woken. It is never interrupted while it connects: H2 would close its file.
     */
    synchronized void close() {
        closed = true;
        if (pausing != null) {
            pausing.interrupt();
        }
    }

    /** What there is no use in waiting for: a wrong password, a database that does not exist. */
    @Nullable
    SQLException refusal() {
        SQLException last = failure;
        return last != null && errors.isFinal(last) ? last : null;
    }

    /** Why the last connection was not made, which may pass; {@code null} if it was made. */
    @Nullable
    SQLException failure() {
        return failure;
    }

    @Override
    public String toString() {
        return address.description();
    }

    // ---- what a data source can do, and this one does not -----------------------------------------------------

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    /** For so many seconds a pool that is closed waits for a connection that is being made. */
    @Override
    public int getLoginTimeout() {
        return 1;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
