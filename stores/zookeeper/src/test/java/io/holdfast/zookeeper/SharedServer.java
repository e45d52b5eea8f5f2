package io.holdfast.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.curator.test.TestingServer;

/** The server that the suites share: it is started when it is first needed, and ends with the JVM. */
final class SharedServer {

    private static final int MOST_CONNECTIONS = 2_000;

    private static TestingServer server;

    private SharedServer() {}

    static synchronized String address() {
        if (server == null) {
            server = start();
        }
        return server.getConnectString();
    }

    private static TestingServer start() {
        try {
            // Tests that run beside each other have more connections than the 60 that a server takes by default.
            TestingServer started = new TestingServer(Loopback.serverForConnections(MOST_CONNECTIONS), true);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started)));
            return started;
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not start", e);
        }
    }

    private static void close(TestingServer server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
