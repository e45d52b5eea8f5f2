package io.holdfast.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.function.Supplier;

/** The databases that the tests use: each is started once, when it is first needed, and ends with the JVM. */
enum TestDatabase {
    POSTGRES(Database.POSTGRESQL, () -> uriOf(PostgresServer.start())),
    MARIA(Database.MYSQL, () -> uriOf(MariaServer.start())),
    H2(Database.H2, TestDatabase::h2);

    private final Database database;
    private final Supplier<String> start;
    private String uri;

    TestDatabase(Database database, Supplier<String> start) {
        this.database = database;
        this.start = start;
    }

    Database database() {
        return database;
    }

    synchronized String uri() {
        if (uri == null) {
            uri = start.get();
        }
        return uri;
    }

    /** A connection of the test's own. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(uri());
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        }
    }

    /** The number that a query gives. */
    long number(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** A name as it is written in a statement. */
    String literal(String name) {
        String hex = HexFormat.of().formatHex(Key.bytes(name));
        return this == POSTGRES ? "'\\x" + hex + "'" : "X'" + hex + "'";
    }

    private static String uriOf(DatabaseServer server) {
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server.uri();
    }

    private static String h2() {
        try {
            Path directory = DatabaseServer.temporary("h2");
            String uri = "jdbc:h2:" + directory.resolve("locks") + ";AUTO_SERVER=TRUE";
            // Kept open, as a server is: opening an H2 file takes a tenth of a second.
            Connection open = DriverManager.getConnection(uri + ";WRITE_DELAY=0");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try (open) {
                    DatabaseServer.deleteAll(directory);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }));
            return uri;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
