package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A process that has an H2 file open, until it is killed: it serves the other processes. */
final class FileOwner {

    private FileOwner() {}

    /** @param args the URI */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws SQLException, InterruptedException {
        try (Connection connection = DriverManager.getConnection(args[0])) {
            System.out.println(connection.isValid(1));
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
