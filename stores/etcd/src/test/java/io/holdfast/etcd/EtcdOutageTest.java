package io.holdfast.etcd;

import io.holdfast.tck.OutageContract;
import io.holdfast.tck.StoreBinding;
import io.holdfast.tck.Wire;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("An etcd that goes away")
class EtcdOutageTest extends OutageContract {

    private static EtcdServer server;
    private static Wire wire;

    @BeforeAll
    static void makeServer() throws Exception {
        server = EtcdServer.single();
        wire = Wire.to(server.port);
    }

    @AfterAll
    static void endServer() throws Exception {
        if (wire != null) {
            wire.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected StoreBinding store() {
        return () -> "etcd://" + wire.address();
    }

    /** What etcd has acknowledged is on disk. */
    @Override
    protected boolean keepsItsData() {
        return true;
    }

    @Override
    protected void stopServer() {
        wire.down();
        server.kill();
    }

    @Override
    protected void startServer() {
        server.start(List.of(server));
        server.awaitListening();
        wire.up();
    }

    @Override
    protected void pauseServer() {
        server.signal("STOP");
    }

    @Override
    protected void resumeServer() {
        server.signal("CONT");
    }

    @Override
    protected void dropConnections() {
        wire.cut();
    }
}
