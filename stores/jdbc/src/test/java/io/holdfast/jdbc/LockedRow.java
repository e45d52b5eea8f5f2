package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** A row that somebody has locked in a transaction of his own, until it is closed. */
final class LockedRow implements AutoCloseable {

    private final Connection connection;

    private LockedRow(Connection connection) {
        this.connection = connection;
    }

    static LockedRow of(TestDatabase database, Claim claim) throws SQLException {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT name FROM holdfast_lock WHERE kind = ? AND name = ? FOR UPDATE")) {
            lock.setInt(1, Key.code(claim.type()));
            lock.setBytes(2, Key.bytes(claim.name()));
            try (ResultSet row = lock.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("there is no row to lock");
                }
            }
        }
        return new LockedRow(connection);
    }

    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            connection.rollback();
            connection.close();
        }
    }
}
