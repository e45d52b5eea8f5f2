package io.holdfast.jdbc;

import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on PostgreSQL")
class PostgresContractTest extends DatabaseSuite {

    @Override
    public String uri() {
        return TestDatabase.POSTGRES.uri();
    }

    @Override
    public List<String> wrongUris() {
        return List.of(
                "jdbc:",
                "jdbc:nosuch://user:" + PASSWORD + "@host/db",
                "jdbc:postgresql",
                "jdbc:postgresql://user:" + PASSWORD + "@host:port/db",
                "jdbc:postgresql://user:" + PASSWORD + "@host:99999/db",
                "jdbc:postgresql://host:port/db?password=" + PASSWORD,
                "jdbc:postgresql://host/db?password=" + PASSWORD + "%");
    }

    @Override
    public List<String> secretUris() {
        return List.of(
                "jdbc:postgresql://user:" + PASSWORD + "@127.0.0.1:1/db",
                "jdbc:postgresql://127.0.0.1:1/db?user=me&password=" + PASSWORD,
                "jdbc:postgresql://127.0.0.1:1/db?user=me&sslpassword=" + PASSWORD);
    }
}
