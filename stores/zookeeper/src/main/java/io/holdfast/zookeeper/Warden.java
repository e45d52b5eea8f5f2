package io.holdfast.zookeeper;

import io.holdfast.spi.LatchStore;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is not used any more: the claims of dead processes on locks that no client wants, semaphores that
 * were not used for a day, latches after a week. Of all the stores of one user on one tree one does it, the oldest: each has an
 * ephemeral sequential node. It looks at every name once in a while, and a claim that was the same for a whole lease goes.
 *
 * <p>How old semaphores and latches are is told by the server's clock alone, to the day; nothing else depends on it.
 */
final class Warden {

    static final Duration EVERY = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(Warden.class);
    private static final Duration SEMAPHORE_KEPT = Duration.ofDays(1);

    /** As many as fit into one answer; a latch that was counted down more often is left to its creator. */
    private static final int MOST_CHILDREN = 10_000;

    private static final int AT_ONCE = 500;

    /** How many claims it remembers to have seen; of more it looks at a part in each round. */
    private static final int ROOM = 100_000;

    private final Ledger ledger;
    private final RoundSightings sightings;
    private final Lines lines;
    private final Session session;
    private @Nullable String badge;
    private volatile CompletableFuture<Void> resting = new CompletableFuture<>();
    private volatile boolean closed;

    Warden(Ledger ledger) {
        this(ledger, ROOM);
    }

    /** @param room how many claims it remembers to have seen */
    Warden(Ledger ledger, int room) {
        this.ledger = ledger;
        this.sightings = new RoundSightings(ledger.clock, room);
        this.lines = new Lines(ledger.session, sightings);
        this.session = ledger.session;
    }

    /** Goes round from now on, for the first time after a while. */
    void start() {
        long millis = EVERY.toMillis();
        long pause = millis / 2 + ThreadLocalRandom.current().nextLong(millis);
        CompletableFuture<Void> rest = new CompletableFuture<>();
        resting = rest;
        rest.completeOnTimeout(null, pause, TimeUnit.MILLISECONDS)
                .thenCompose(unused -> round())
                .whenComplete((unused, failure) -> {
                    if (!closed) {
                        if (failure != null) {
                            log.debug("A round was not finished", failure);
                        }
                        start();
                    }
                });
        if (closed) {
            rest.cancel(false);
        }
    }

    void close() {
        closed = true;
        resting.cancel(false); // so that nothing keeps it in memory
    }

    /** The session has ended, and with it the node. */
    synchronized void resign() {
        badge = null;
    }

    /** Looks at everything once, if it is this one's turn. */
    CompletableFuture<Void> round() {
        return badge().thenCompose(own ->
                isOldest(own).thenCompose(oldest -> oldest ? sweep(own) : CompletableFuture.completedFuture(null)));
    }

    private CompletableFuture<Boolean> isOldest(String own) {
        String parent = ledger.tree.wardens();
        return session.acl(own)
                .thenCompose(acl -> session.children(parent).thenCompose(children -> {
                    List<String> byAge = children.names().stream()
                            .sorted()
                            .map(name -> parent + "/" + name)
                            .toList();
                    return isOldest(byAge, 0, own, acl);
                }));
    }

    /** Whether it is the oldest with its access list: a warden can't remove another user's nodes. */
    private CompletableFuture<Boolean> isOldest(List<String> byAge, int from, String own, List<ACL> acl) {
        if (from == byAge.size() || byAge.get(from).equals(own)) {
            return CompletableFuture.completedFuture(from < byAge.size());
        }
        CompletableFuture<Boolean> same = session.acl(byAge.get(from)).thenApply(acl::equals);
        return Errors.unless(same, code -> switch (code) {
                    case NONODE, NOAUTH -> CompletableFuture.completedFuture(false);
                    default -> null;
                })
                .thenCompose(covered ->
                        covered ? CompletableFuture.completedFuture(false) : isOldest(byAge, from + 1, own, acl));
    }

    private CompletableFuture<Void> sweep(String own) {
        // What is written now has the server's time.
        return session.set(own, Session.NOTHING, -1).thenCompose(stat -> {
            CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
            for (ResourceType type : ResourceType.values()) {
                for (String bucket : ledger.tree.buckets(type)) {
                    done = done.thenCompose(unused -> bucket(type, bucket, stat.getMtime()));
                }
            }
            return done.thenRun(sightings::endRound);
        });
    }

    /** How many claims it remembers to have seen. */
    int remembered() {
        return sightings.size();
    }

    private CompletableFuture<Void> bucket(ResourceType type, String bucket, long now) {
        CompletableFuture<Void> swept = session.children(bucket).thenCompose(children -> {
            CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
            for (String name : closed ? List.<String>of() : children.names()) {
                String path = bucket + "/" + name;
                done = done.thenCompose(
                        unused -> type == ResourceType.LATCH ? latch(path, now) : line(type, path, now));
            }
            return done;
        });
        return ignoring(swept);
    }

    private CompletableFuture<Void> line(ResourceType type, String path, long now) {
        return ignoring(lines.read(path).thenCompose(line -> {
            if (line == null) {
                return CompletableFuture.completedFuture(null);
            }
            List<ChildNode> claims = new ArrayList<>(line.held());
            claims.addAll(line.queue());
            return lines.look(line, claims).thenCompose(seen -> {
                if (!seen.isEmpty()) {
                    return CompletableFuture.completedFuture(null);
                }
                return type == ResourceType.LOCK ? forget(line) : forgetSemaphore(line, now);
            });
        }));
    }

    /** A floor goes when every later token is above it, and the node of the name when nothing is left below it. */
    private CompletableFuture<Void> forget(Line line) {
        if (line.floor(ledger.tokens.lastSeen()) > 0) {
            return CompletableFuture.completedFuture(null);
        }
        List<Op> ops = new ArrayList<>();
        line.floors().forEach(node -> ops.add(Op.delete(line.path(node), -1)));
        ops.add(Op.delete(line.path(), -1));
        return ignoring(session.multi(ops).thenAccept(unused -> {}));
    }

    private CompletableFuture<Void> forgetSemaphore(Line line, long now) {
        ChildNode capacity = line.capacity();
        if (capacity == null) {
            return forget(line);
        }
        return session.data(line.path(capacity)).thenCompose(data -> {
            long used = Math.max(line.changed(), data.stat().getMtime());
            if (now - used < SEMAPHORE_KEPT.toMillis() || line.floor(ledger.tokens.lastSeen()) > 0) {
                return CompletableFuture.completedFuture(null);
            }
            List<Op> ops = new ArrayList<>();
            ops.add(Session.touch(line.path(), line.version())); // no claim has come since
            line.floors().forEach(node -> ops.add(Op.delete(line.path(node), -1)));
            ops.add(Op.delete(line.path(capacity), -1));
            ops.add(Op.delete(line.path(), -1));
            return ignoring(session.multi(ops).thenAccept(unused -> {}));
        });
    }

    /** @param now by the server's clock, in milliseconds */
    CompletableFuture<Void> latch(String path, long now) {
        return ignoring(session.data(path).thenCompose(data -> {
            Stat stat = data.stat();
            if (now - stat.getMtime() < LatchStore.KEPT.toMillis() || stat.getNumChildren() > MOST_CHILDREN) {
                return CompletableFuture.completedFuture(null);
            }
            // Not set any more, it has nothing to count; setting it now changes the version, and it stays.
            return session.set(path, Session.NOTHING, stat.getVersion())
                    .thenCompose(unset -> session.children(path)
                            .thenCompose(children -> delete(path, unset.getVersion(), children.names())));
        }));
    }

    /** Some at a time, each with a change of the version: setting the latch counts the children that are there. */
    private CompletableFuture<Void> delete(String path, int version, List<String> names) {
        List<Op> ops = new ArrayList<>();
        ops.add(Session.touch(path, version));
        int some = Math.min(AT_ONCE, names.size());
        names.subList(0, some).forEach(name -> ops.add(Op.delete(path + "/" + name, -1)));
        if (some == names.size()) {
            ops.add(Op.delete(path, version + 1));
            return session.multi(ops).thenAccept(unused -> {});
        }
        return session.multi(ops).thenCompose(unused -> delete(path, version + 1, names.subList(some, names.size())));
    }

    private CompletableFuture<String> badge() {
        String own;
        synchronized (this) {
            own = badge;
        }
        if (own != null) {
            return CompletableFuture.completedFuture(own);
        }
        String parent = ledger.tree.wardens();
        return session.createAll(parent)
                .thenCompose(unused -> session.create(parent + "/w-", Session.NOTHING, CreateMode.EPHEMERAL_SEQUENTIAL))
                .thenApply(made -> {
                    synchronized (this) {
                        badge = made;
                    }
                    return made;
                });
    }

    /** What is gone, or in use again, is as it should be; what is another user's is for that user's warden. */
    private static CompletableFuture<Void> ignoring(CompletableFuture<Void> swept) {
        return Errors.unless(swept, code -> switch (code) {
            case NONODE, NOTEMPTY, BADVERSION, NOAUTH -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }
}
