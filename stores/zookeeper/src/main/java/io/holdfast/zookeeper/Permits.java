package io.holdfast.zookeeper;

import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;

/**
 * How many permits a semaphore has: the name of a node, made anew with every change. Its data are the ids of the changes,
 * so that each is made once. Every grant is made on the condition that this node is there.
 */
final class Permits {

    private static final int ATTEMPTS = 40;

    /** So many changes are remembered; a repetition comes within seconds. */
    private static final int CHANGES = 1_000;

    private final Ledger ledger;
    private final Session session;

    Permits(Ledger ledger) {
        this.ledger = ledger;
        this.session = ledger.session;
    }

    CompletableFuture<Integer> add(String name, String id, int by, int capacity) {
        return add(name, ledger.tree.name(Resource.semaphore(name)), Names.encode(id), by, capacity, 0);
    }

    private CompletableFuture<Integer> add(String name, String path, String id, int by, int capacity, int attempt) {
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(Messages.label(ResourceType.SEMAPHORE, name)));
        }
        return ledger.lines.read(path).thenCompose(line -> {
            CompletableFuture<Integer> done = line == null ? make(path, id, sum(capacity, by)) : change(line, id, by);
            return Errors.unless(done, code -> switch (code) {
                case NODEEXISTS, BADVERSION -> add(name, path, id, by, capacity, attempt + 1);
                case NONODE ->
                    session.createAll(Session.parent(path))
                            .thenCompose(unused -> add(name, path, id, by, capacity, attempt + 1));
                default -> null;
            });
        });
    }

    private CompletableFuture<Integer> make(String path, String id, int permits) {
        return session.multi(List.of(session.makeContainer(path), node(path, permits, List.of(id))))
                .thenApply(unused -> permits);
    }

    private CompletableFuture<Integer> change(Line line, String id, int by) {
        ChildNode old = line.capacity();
        if (old == null) {
            throw new IllegalStateException("a semaphore without a capacity: " + line.path());
        }
        return session.data(line.path(old)).thenCompose(data -> {
            int permits = (int) old.number();
            List<String> changes = changes(data.text());
            if (changes.contains(id)) {
                return CompletableFuture.completedFuture(permits);
            }
            int changed = sum(permits, by);
            List<String> all =
                    new ArrayList<>(changes.subList(Math.max(0, changes.size() + 1 - CHANGES), changes.size()));
            all.add(id);
            return session.multi(List.of(Op.delete(line.path(old), -1), node(line.path(), changed, all)))
                    .thenApply(unused -> changed);
        });
    }

    private Op node(String path, int permits, List<String> changes) {
        byte[] data = String.join("\n", changes).getBytes(StandardCharsets.UTF_8);
        return session.make(path + "/" + ChildNode.capacity(permits), data, CreateMode.PERSISTENT);
    }

    private static List<String> changes(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split("\n"));
    }

    private static int sum(int permits, int by) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, (long) permits + by));
    }
}
