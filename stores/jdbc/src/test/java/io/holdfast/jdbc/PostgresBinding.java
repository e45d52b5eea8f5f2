package io.holdfast.jdbc;

import java.util.List;

/** One PostgreSQL, which all suites share. */
interface PostgresBinding extends DatabaseBinding {

    @Override
    default String uri() {
        return TestDatabase.POSTGRES.uri();
    }

    @Override
    default List<String> wrongUris() {
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
    default List<String> secretUris() {
        return List.of(
                "jdbc:postgresql://user:" + PASSWORD + "@127.0.0.1:1/db",
                "jdbc:postgresql://127.0.0.1:1/db?user=me&password=" + PASSWORD,
                "jdbc:postgresql://127.0.0.1:1/db?user=me&sslpassword=" + PASSWORD);
    }
}
