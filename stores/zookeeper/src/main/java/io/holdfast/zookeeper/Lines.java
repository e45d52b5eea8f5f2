package io.holdfast.zookeeper;

import io.holdfast.Claimant;
import io.holdfast.spi.Claim;
import io.holdfast.zookeeper.Session.Data;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads the claims of a name, and removes expired ones. */
final class Lines {

    /** For a node in an unknown format: it is in the way until it is removed. */
    private static final long UNKNOWN_MILLIS = TimeUnit.DAYS.toMillis(3_650);

    /** So many tickets in front are looked at together: those of one dead process mostly follow each other. */
    private static final int TOGETHER = 16;

    /** A claim that was looked at. */
    record Seen(ChildNode node, Entry entry, Stat stat, long nanosLeft) {

        Claimant claimant() {
            return entry.claimant(node, stat, Duration.ofNanos(nanosLeft));
        }
    }

    private final Session session;
    private final Sightings sightings;

    Lines(Session session, Sightings sightings) {
        this.session = session;
        this.sightings = sightings;
    }

    /** The claims of a name as they are by now; {@code null} if there is nothing of it. One round trip. */
    CompletableFuture<@Nullable Line> read(String path) {
        return lined(path, session.latestChildren(path));
    }

    /** The claims of a name as that client sees them; {@code null} if there is nothing of it. */
    CompletableFuture<@Nullable Line> read(ZooKeeperClient by, String path) {
        return lined(path, session.children(by, path, null));
    }

    private static CompletableFuture<@Nullable Line> lined(String path, CompletableFuture<Session.Children> listed) {
        CompletableFuture<@Nullable Line> line =
                listed.thenApply(children -> Line.of(path, children.names(), children.stat()));
        return Errors.unless(line, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }

    /**
     * Removes expired claims that are in the way of the claim. It looks at the waiters only if no holder is in the way, since an
     * expired ticket does no harm before, and only at the first of them, whose turn it is.
     *
     * @return the line without them
     */
    CompletableFuture<Line> clear(Line line, Claim claim) {
        if (line.grants(claim)) {
            return CompletableFuture.completedFuture(line);
        }
        return clear(line, line.held())
                .thenCompose(held -> held.grants(claim) || !held.isFreeFor(claim)
                        ? CompletableFuture.completedFuture(held)
                        : clear(held, first(held.ahead(claim))));
    }

    private static List<ChildNode> first(List<ChildNode> ahead) {
        return ahead.subList(0, Math.min(TOGETHER, ahead.size()));
    }

    private CompletableFuture<Line> clear(Line line, List<ChildNode> nodes) {
        Set<ChildNode> gone = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<?>> looks = new ArrayList<>();
        for (ChildNode node : nodes) {
            if (sightings.left(line.path(node)) <= 0) {
                looks.add(look(line.path(node), node).thenAccept(seen -> {
                    if (seen == null) {
                        gone.add(node);
                    }
                }));
            }
        }
        return all(looks).thenApply(unused -> line.without(gone));
    }

    /** The claims that have not ended; expired ones are removed. */
    CompletableFuture<List<Seen>> look(Line line, List<ChildNode> nodes) {
        List<CompletableFuture<@Nullable Seen>> looks = new ArrayList<>();
        for (ChildNode node : nodes) {
            looks.add(look(line.path(node), node));
        }
        return all(looks).thenApply(unused -> {
            List<Seen> seen = new ArrayList<>();
            for (CompletableFuture<@Nullable Seen> look : looks) {
                Seen one = look.join();
                if (one != null) {
                    seen.add(one);
                }
            }
            return seen;
        });
    }

    /** What the claim of that node shows now; {@code null} if it is gone, or has expired and is removed. */
    CompletableFuture<@Nullable Seen> look(String path, ChildNode node) {
        CompletableFuture<@Nullable Seen> look = session.data(path).thenCompose(data -> looked(path, node, data));
        return Errors.unless(look, code -> switch (code) {
            case NONODE -> lookAgain(path, node);
            default -> null;
        });
    }

    /**
     * Whether it is really gone. The listing may have come from another server, and one that is behind would not know the
     * node yet; a client that took that for its end would grant a held lock.
     */
    private CompletableFuture<@Nullable Seen> lookAgain(String path, ChildNode node) {
        CompletableFuture<@Nullable Seen> look = session.latestData(path).thenCompose(data -> looked(path, node, data));
        return Errors.unless(look, code -> switch (code) {
            case NONODE -> {
                sightings.forget(path);
                yield CompletableFuture.completedFuture(null);
            }
            default -> null;
        });
    }

    private CompletableFuture<@Nullable Seen> looked(String path, ChildNode node, Data data) {
        Entry entry = Entry.parse(data.text());
        long left = sightings.seen(path, data.stat().getVersion(), entry == null ? UNKNOWN_MILLIS : entry.millis());
        Entry known = entry == null ? new Entry(UNKNOWN_MILLIS, 1, 0, 0, 0, ChildNode.NOBODY, 0) : entry;
        CompletableFuture<@Nullable Seen> seen =
                CompletableFuture.completedFuture(new Seen(node, known, data.stat(), left));
        if (left > 0) {
            return seen;
        }
        CompletableFuture<@Nullable Seen> removal = session.multi(removal(
                        path, node, known.token(data.stat()), data.stat().getVersion()))
                .thenApply(unused -> {
                    sightings.forget(path);
                    return null;
                });
        return Errors.unless(removal, code -> switch (code) {
            case BADVERSION -> look(path, node); // it was renewed just now
            default -> null;
        });
    }

    /** What ends a claim, and leaves a floor for the next token if it has reserved more than fit. */
    List<Op> removal(String path, ChildNode node, long token, int version) {
        List<Op> ops = new ArrayList<>(2);
        ops.add(Op.delete(path, version));
        if (node.isLarge()) {
            ops.add(session.make(
                    Session.parent(path) + "/" + ChildNode.floor(token + node.tokens()),
                    Session.NOTHING,
                    CreateMode.PERSISTENT));
        }
        return ops;
    }

    /** Removes the node of the name if nothing is below it; that it fails otherwise is as good. */
    void tidy(String path) {
        session.delete(path, -1);
    }

    static CompletableFuture<Void> all(List<? extends CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }
}
