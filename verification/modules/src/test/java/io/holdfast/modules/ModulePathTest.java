package io.holdfast.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stores' modules ask for all that they need: the applications run without {@code --add-modules}. */
@DisplayName("A modular application that requires nothing but its store takes and releases a lock")
class ModulePathTest {

    private static final List<String> CORE =
            List.of("/holdfast-core/", "/core/target/", "/org/slf4j/", "/org/jspecify/");
    private static final List<String> REDIS = List.of(
            "/holdfast-redis/",
            "/stores/redis/target/",
            "/holdfast-quorum/",
            "/stores/quorum/target/",
            "/io/lettuce/",
            "/io/netty/",
            "/io/projectreactor/",
            "/org/reactivestreams/",
            "/redis/clients/");
    private static final List<String> JDBC =
            List.of("/holdfast-jdbc/", "/stores/jdbc/target/", "/com/zaxxer/HikariCP/");
    private static final List<String> ZOOKEEPER =
            List.of("/holdfast-zookeeper/", "/stores/zookeeper/target/", "/org/apache/zookeeper/", "/io/netty/");

    private static final InstanceSpec LOOPBACK =
            new InstanceSpec(null, -1, -1, -1, true, -1, -1, -1, Map.of("clientPortAddress", "127.0.0.1"), "127.0.0.1");

    @TempDir
    private Path folder;

    @Test
    @DisplayName("in memory")
    void memory() throws Exception {
        Application application = Application.compile(folder, "io.holdfast", Libraries.of(CORE));
        assertEquals("", application.run("memory:"));
    }

    @Test
    @DisplayName("of Redis, on one server and on a majority of servers")
    void redis() throws Exception {
        Application application = Application.compile(folder, "io.holdfast.redis", Libraries.of(CORE, REDIS));
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                RedisServer three = RedisServer.start()) {
            assertEquals("", application.run("redis://" + one.address()));
            assertEquals(
                    "",
                    application.run("redis-quorum://" + one.address() + "," + two.address() + "," + three.address()));
        }
    }

    @Test
    @DisplayName("of H2")
    void h2() throws Exception {
        Application application =
                Application.compile(folder, "io.holdfast.jdbc", Libraries.of(CORE, JDBC, List.of("/com/h2database/")));
        assertEquals("", application.run("jdbc:h2:mem:locks"));
    }

    @Test
    @DisplayName("of PostgreSQL")
    void postgres() throws Exception {
        Application application = Application.compile(
                folder, "io.holdfast.jdbc", Libraries.of(CORE, JDBC, List.of("/org/postgresql/postgresql/")));
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
            assertEquals(
                    "", application.run("jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres"));
        }
    }

    @Test
    @DisplayName("of ZooKeeper, with the store and the libraries of ZooKeeper on the class path")
    void zooKeeper() throws Exception {
        Application application = Application.compile(folder, "io.holdfast", Libraries.of(CORE));
        try (TestingServer server = new TestingServer(LOOPBACK, true)) {
            assertEquals("", application.run("zookeeper://" + server.getConnectString(), Libraries.of(ZOOKEEPER)));
        }
    }
}
