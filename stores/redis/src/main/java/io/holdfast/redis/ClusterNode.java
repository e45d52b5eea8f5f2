package io.holdfast.redis;

import java.util.concurrent.CompletableFuture;

/** A master of a cluster, and who listens to it: on the channels of its slots, or on those of the whole cluster. */
final class ClusterNode {

    private final Server server;
    private final Watches everywhere;
    private final Watches sharded;

    ClusterNode(Server server) {
        this.server = server;
        this.everywhere = new Watches(server, false);
        this.sharded = new Watches(server, true);
    }

    Server server() {
        return server;
    }

    Watches watches(boolean sharded) {
        return sharded ? this.sharded : everywhere;
    }

    CompletableFuture<?> closeAsync() {
        everywhere.close();
        sharded.close();
        return server.closeAsync();
    }
}
