package io.holdfast.zookeeper;

import io.holdfast.tck.OutageContract;
import io.holdfast.tck.StoreBinding;
import io.holdfast.tck.Wire;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A ZooKeeper server that goes away")
class ZooKeeperOutageTest extends OutageContract {

    private static TestingServer server;
    private static Wire wire;

    @BeforeAll
    static void makeServer() throws Exception {
        server = new TestingServer(Loopback.server(), true);
        wire = Wire.to(server.getPort());
    }

    @AfterAll
    static void endServer() throws Exception {
        wire.close();
        server.close();
    }

    @Override
    protected StoreBinding store() {
        return () -> "zookeeper://" + wire.address();
    }

    /** What ZooKeeper has acknowledged is on disk. */
    @Override
    protected boolean keepsItsData() {
        return true;
    }

    @Override
    protected void stopServer() {
        wire.down();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void startServer() {
        try {
            server.restart();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        wire.up();
    }

    @Override
    protected void pauseServer() {
        wire.pause();
    }

    @Override
    protected void resumeServer() {
        wire.resume();
    }

    @Override
    protected void dropConnections() {
        wire.cut();
    }
}
