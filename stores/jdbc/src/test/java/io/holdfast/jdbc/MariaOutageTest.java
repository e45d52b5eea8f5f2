package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A MariaDB that goes away")
class MariaOutageTest extends DatabaseOutage {

    private static DatabaseServer server;

    @BeforeAll
    static void startOne() {
        server = MariaServer.start();
    }

    @AfterAll
    static void endIt() {
        server.close();
    }

    @Override
    DatabaseServer server() {
        return server;
    }

    @Override
    protected void dropConnections() {
        try (Connection connection = DriverManager.getConnection(server.uri());
                Statement statement = connection.createStatement();
                Statement kill = connection.createStatement();
                ResultSet all = statement.executeQuery("SELECT id FROM information_schema.processlist"
                        + " WHERE id <> CONNECTION_ID() AND command <> 'Daemon'")) {
            while (all.next()) {
                try {
                    kill.execute("KILL " + all.getLong(1));
                } catch (SQLException e) {
                    continue; // it has gone by itself
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
