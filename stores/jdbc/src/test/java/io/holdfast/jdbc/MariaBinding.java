package io.holdfast.jdbc;

import java.util.List;

/** One MariaDB, which all suites share. */
interface MariaBinding extends DatabaseBinding {

    @Override
    default String uri() {
        return TestDatabase.MARIA.uri();
    }

    @Override
    default List<String> wrongUris() {
        return List.of(
                "jdbc:",
                "jdbc:nosuch://user:" + PASSWORD + "@host/db",
                "jdbc:mariadb",
                "jdbc:mariadb://user:" + PASSWORD + "@host:port/db",
                "jdbc:mariadb://user:" + PASSWORD + "@host:99999/db",
                "jdbc:mariadb://host:port/db?password=" + PASSWORD,
                "jdbc:mariadb://host/db?password=" + PASSWORD + "%");
    }

    @Override
    default List<String> secretUris() {
        return List.of(
                "jdbc:mariadb://user:" + PASSWORD + "@127.0.0.1:1/db",
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)(user=me)(password=" + PASSWORD + ")/db",
                "jdbc:mariadb://127.0.0.1:1/db?user=me&password=" + PASSWORD,
                "jdbc:mariadb://127.0.0.1:1/db?user=me&trustStorePassword=" + PASSWORD);
    }
}
