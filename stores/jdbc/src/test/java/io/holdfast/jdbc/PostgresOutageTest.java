package io.holdfast.jdbc;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A PostgreSQL that goes away")
class PostgresOutageTest extends DatabaseOutage {

    private static DatabaseServer server;

    @BeforeAll
    static void startOne() {
        server = PostgresServer.start();
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
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    }
}
