package io.holdfast.jdbc;

import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The JDBC store on an H2 file that processes share")
class H2ContractTest extends DatabaseSuite {

    @Override
    public String uri() {
        return TestDatabase.H2.uri();
    }

    @Override
    public List<String> wrongUris() {
        return List.of("jdbc:h2", "jdbc:h2:tcp://user:" + PASSWORD + "@host:port/db");
    }

    @Override
    public List<String> secretUris() {
        return List.of(
                "jdbc:h2:tcp://127.0.0.1:1/db;USER=me;PASSWORD=" + PASSWORD,
                "jdbc:h2:/nosuch/directory/at/all;IFEXISTS=TRUE;PASSWORD=" + PASSWORD);
    }
}
