package io.holdfast.redis;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.ListOfMapsOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks all sentinels where the master is and which replicas it has. */
final class SentinelLocator implements Locator {

    private final LettuceClient client;
    private final Deployment deployment;
    private final String master;
    private final List<Informant> sentinels;
    private final SentinelViews known;

    SentinelLocator(LettuceClient client, Deployment deployment) {
        this.client = client;
        this.deployment = deployment;
        this.master = Objects.requireNonNull(deployment.master());
        this.sentinels = deployment.nodes().stream()
                .map(address -> new Informant(client, address, deployment.sentinelAt(address)))
                .toList();
        this.known = new SentinelViews(sentinels.size(), System::nanoTime);
    }

    @Override
    public CompletionStage<MasterLocation> find() {
        List<CompletableFuture<SentinelView>> questions =
                sentinels.stream().map(this::ask).toList();
        return Survey.of(questions, client.scheduler(), any -> true).thenApply(this::location);
    }

    // By connections like any other: those that Lettuce has for sentinels warn of each attempt that fails.
    private CompletableFuture<SentinelView> ask(Informant sentinel) {
        return sentinel.ask(connection -> {
            long askedAt = System.nanoTime();
            return ask(connection, "MASTER", new MapOutput<>(StringCodec.UTF8))
                    .thenCombine(
                            ask(connection, "REPLICAS", new ListOfMapsOutput<>(StringCodec.UTF8)), SentinelView::parse)
                    .thenApply(view -> known.said(sentinel.address(), view, askedAt));
        });
    }

    private <T> RedisFuture<T> ask(
            StatefulRedisConnection<String, String> sentinel, String what, CommandOutput<String, String, T> output) {
        CommandArgs<String, String> args =
                new CommandArgs<>(StringCodec.UTF8).add(what).addValue(master);
        return sentinel.async().dispatch(CommandType.SENTINEL, output, args);
    }

    private MasterLocation location(List<SentinelView> views) {
        SentinelViews.Found found = known.newest(views)
                .orElseThrow(() ->
                        new RedisConnectionException("the sentinels that answer do not know of the last failover yet"));
        return new MasterLocation(deployment.serverAt(found.master()), Long.toString(found.epoch()), found.roster());
    }

    @Override
    public boolean moves() {
        return true;
    }

    @Override
    public CompletableFuture<?> closeAsync() {
        return CompletableFuture.allOf(sentinels.stream().map(Informant::close).toArray(CompletableFuture<?>[]::new));
    }
}
