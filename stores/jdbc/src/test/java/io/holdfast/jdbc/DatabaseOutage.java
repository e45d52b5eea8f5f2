package io.holdfast.jdbc;

import io.holdfast.tck.OutageContract;
import io.holdfast.tck.StoreBinding;

/** The contract for outages, on a server that keeps what it was told. */
abstract class DatabaseOutage extends OutageContract {

    /** A server of this class's own. */
    abstract DatabaseServer server();

    @Override
    protected StoreBinding store() {
        return server()::uri;
    }

    @Override
    protected void stopServer() {
        server().kill();
    }

    @Override
    protected void startServer() {
        server().startAgain();
    }

    @Override
    protected boolean keepsItsData() {
        return true;
    }

    @Override
    protected void pauseServer() {
        server().pause();
    }

    @Override
    protected void resumeServer() {
        server().resume();
    }
}
