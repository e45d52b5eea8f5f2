package io.holdfast.jdbc;

import java.util.List;

/** One H2 file, which all suites share. */
interface H2Binding extends DatabaseBinding {

    @Override
    default String uri() {
        return TestDatabase.H2.uri();
    }

    @Override
    default List<String> wrongUris() {
        return List.of("jdbc:h2", "jdbc:h2:tcp://user:" + PASSWORD + "@host:port/db");
    }

    @Override
    default List<String> secretUris() {
        return List.of(
                "jdbc:h2:tcp://127.0.0.1:1/db;USER=me;PASSWORD=" + PASSWORD,
                "jdbc:h2:/nosuch/directory/at/all;IFEXISTS=TRUE;PASSWORD=" + PASSWORD);
    }
}
