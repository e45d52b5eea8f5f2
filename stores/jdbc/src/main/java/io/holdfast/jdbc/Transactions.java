package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Several statements that take effect together. */
final class Transactions {

    private final Dialect dialect;
    private final boolean isolated;

    /** @param isolated whether connections read what is committed, without being told: asking them may take a round trip */
    Transactions(Dialect dialect, boolean isolated) {
        this.dialect = dialect;
        this.isolated = isolated;
    }

    /** Runs the work and commits; whatever it throws, nothing of it stays and the connection is as it was. */
    <T> T run(Connection connection, Commands.Work<T> work) throws SQLException {
        // Rows are read after they were locked, as they are then.
        int isolation = isolated ? Connection.TRANSACTION_READ_COMMITTED : connection.getTransactionIsolation();
        if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            dialect.begin(connection);
            T result = work.run(connection);
            connection.commit();
            committed = true;
            return result;
        } finally {
            end(connection, committed, isolation);
        }
    }

    private static void end(Connection connection, boolean committed, int isolation) throws SQLException {
        try {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        } catch (SQLException e) {
            // The first failure is the one to tell; and what was committed is, whatever becomes of the connection.
            connection.abort(Runnable::run);
        }
    }
}
