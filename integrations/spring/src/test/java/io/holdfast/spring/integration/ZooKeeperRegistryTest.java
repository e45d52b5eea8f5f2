package io.holdfast.spring.integration;

import java.io.IOException;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The lock registry on ZooKeeper")
class ZooKeeperRegistryTest extends StoreContract {

    private static TestingServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer(
                // A test server listens on every interface by default.
                new InstanceSpec(
                        null, -1, -1, -1, true, -1, -1, -1, Map.of("clientPortAddress", "127.0.0.1"), "127.0.0.1"),
                true);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    String uri() {
        return "zookeeper://" + server.getConnectString() + "/locks";
    }
}
