package io.holdfast.redis;

import io.lettuce.core.RedisConnectionException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Asks a master and its replicas which of them is the master. */
final class ReplicaLocator implements Locator {

    private final LettuceClient client;
    private final Deployment deployment;
    private final List<Informant> nodes;
    private final Succession succession;

    ReplicaLocator(LettuceClient client, Deployment deployment) {
        this.client = client;
        this.deployment = deployment;
        this.nodes = deployment.nodes().stream()
                .map(address -> new Informant(client, address, deployment.serverAt(address)))
                .toList();
        this.succession = new Succession(deployment.nodes(), System.nanoTime());
    }

    @Override
    public CompletionStage<MasterLocation> find() {
        List<CompletableFuture<Address>> questions =
                nodes.stream().map(this::ask).toList();
        return Survey.of(questions, client.scheduler(), succession::leads).thenApply(this::location);
    }

    /** Has it say what it is, and answers who said so. */
    private CompletableFuture<Address> ask(Informant node) {
        return node.ask(connection -> {
            CompletionStage<List<Object>> role = connection.async().role();
            // After the other: the history of one that says it is a master must not be that of before.
            CompletionStage<String> history = connection
                    .async()
                    .info("replication")
                    .exceptionally(error -> {
                        if (Errors.isUnknownHere(error)) {
                            return "";
                        }
                        throw new CompletionException(error);
                    });
            return role.thenCombine(history, (itsRole, itsHistory) -> {
                succession.said(node.address(), itsRole, itsHistory, System.nanoTime());
                return node.address();
            });
        });
    }

    private MasterLocation location(List<Address> answering) {
        Address master = succession
                .master(answering)
                .orElseThrow(() -> new RedisConnectionException("none of the servers that answer is the master"));
        Set<Address> others = new HashSet<>(deployment.nodes());
        others.remove(master);
        Roster roster = new Roster(succession.promotable(System.nanoTime()), others, others);
        return new MasterLocation(deployment.serverAt(master), succession.history(master), roster);
    }

    @Override
    public boolean moves() {
        return true;
    }

    @Override
    public CompletableFuture<?> closeAsync() {
        return CompletableFuture.allOf(nodes.stream().map(Informant::close).toArray(CompletableFuture<?>[]::new));
    }
}
