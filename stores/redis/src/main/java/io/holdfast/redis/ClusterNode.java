package io.holdfast.redis;

import java.util.concurrent.CompletableFuture;

/** A master of a cluster, and who listens to it: on the channels of its slots, or on those of the whole cluster. */
final class ClusterNode {

    private final Server server;
    private final ChannelSubscriptions everywhere;
    private final ChannelSubscriptions sharded;

    ClusterNode(Server server) {
        this.server = server;
        this.everywhere = new ChannelSubscriptions(server, false);
        this.sharded = new ChannelSubscriptions(server, true);
    }

    Server server() {
        return server;
    }

    ChannelSubscriptions watches(boolean sharded) {
        return sharded ? this.sharded : everywhere;
    }

    CompletableFuture<?> closeAsync() {
        everywhere.close();
        sharded.close();
        return server.closeAsync();
    }
}
