package io.holdfast.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One master for everything: a single server, or the one of several that is the master now. */
final class OneServer implements Servers {

    private final LettuceClient client;
    private final Server server;
    private final ChannelSubscriptions watches;
    private final boolean alone;

    /** @param alone whether it is never another, and no replica has to know what it knows */
    OneServer(LettuceClient client, Server server, boolean alone) {
        this.client = client;
        this.server = server;
        this.alone = alone;
        this.watches = new ChannelSubscriptions(server, false);
    }

    @Override
    public String description() {
        return server.description();
    }

    @Override
    public Errors errors() {
        return server.errors();
    }

    @Override
    public void connect() {
        server.connect();
    }

    @Override
    public <R> CompletableFuture<R> run(Request<R> request) {
        return server.run(request);
    }

    @Override
    public CompletableFuture<List<Server>> masters() {
        return CompletableFuture.completedFuture(List.of(server));
    }

    @Override
    public boolean areReplicated() {
        return server.isReplicated();
    }

    @Override
    public String shard(String name) {
        return "";
    }

    @Override
    public String epochOfCalls() {
        return alone ? server.epochKey() : "";
    }

    @Override
    public boolean countsCallsIn(String epoch) {
        return alone && server.grantsIn(epoch);
    }

    @Override
    public Runnable watch(String channel, Runnable changed) {
        return watches.watch(channel, changed);
    }

    @Override
    public Runnable listen(String channel, Consumer<String> heard) {
        return watches.listen(channel, heard);
    }

    @Override
    public boolean hears(String channel) {
        return watches.hears(channel);
    }

    @Override
    public void close() {
        watches.close();
        client.close(server.closeAsync());
    }
}
