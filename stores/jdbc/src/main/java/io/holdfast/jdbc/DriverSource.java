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

    private DriverSource(JdbcUrl address, Opening opening) {
        this.address = address;
        this.opening = opening;
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
        try {
            return opening.open();
        } catch (SQLException e) {
            throw address.withoutSecrets(e);
        }
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

    @Override
    public int getLoginTimeout() {
        return 0;
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
