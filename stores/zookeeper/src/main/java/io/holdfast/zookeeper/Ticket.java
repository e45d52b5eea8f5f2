package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of a claim in the queue of a name, and what is in its way. It watches one node, whose end is the first thing that
 * can bring its turn: mostly the ticket in front of it, then the holder that this ticket has become.
 *
 * <p><b>How it works.</b> One listing, when the ticket is taken, shows the ticket in front. When that is gone, the node of the
 * name says whether its claim was granted, and by which node that holds ({@link LastGrant}). When that is gone too, nothing
 * is in the way unless another claim has been granted since, and then the version of the name's node is another one. So the
 * claim can be granted on the condition of that version, and no step but the first depends on how many claims wait. Where
 * something else has happened, the claims are listed again.
 *
 * <p>Everything is read by one client of ZooKeeper, so that nothing is seen that is older than what was seen before: a node that
 * was there and is not found has ended. Events come before the answers to later commands; so what is known here is as
 * recent as the last answer, once {@link #settled} is.
 */
final class Ticket implements Watcher {

    /** The version of the name's node is of no use: the claims have to be listed before the claim can be granted. */
    static final int UNKNOWN = -1;

    private final Ledger ledger;
    private final Tickets places;
    private final Claim claim;
    private final String line;
    private final ChildNode node;
    private final ZooKeeperClient home;

    /** The last step, which the next one waits for. */
    private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

    private @Nullable ChildNode doubted;

    /** Written by one step at a time, and read by any thread: so it changes as a whole. */
    private volatile View view = View.NONE;

    /**
     * What is in the way.
     *
     * @param blocker the node that is watched, if any
     * @param alone true if its end is all that matters
     * @param reached true if nothing is in the way
     * @param version on which version of the name's node the claim may be granted when nothing is in the way any more
     */
    private record View(@Nullable ChildNode blocker, boolean alone, boolean reached, int version) {
        static final View NONE = new View(null, false, false, UNKNOWN);
    }

    /**
     * @param line the node of the name of its queue
     * @param node its own
     * @param home the client by which everything is read
     */
    Ticket(Ledger ledger, Tickets places, Claim claim, String line, ChildNode node, ZooKeeperClient home) {
        this.ledger = ledger;
        this.places = places;
        this.claim = claim;
        this.line = line;
        this.node = node;
        this.home = home;
    }

    Claim claim() {
        return claim;
    }

    ChildNode node() {
        return node;
    }

    String path() {
        return path(node);
    }

    /** The node of the name of its queue. */
    String line() {
        return line;
    }

    /** Of another node below the name. */
    String path(ChildNode other) {
        return line + "/" + other.name();
    }

    // ---- what is known ------------------------------------------------------------------------------------------

    /** Completes when what has been seen by now is known here; it fails if that could not be found out. */
    synchronized CompletableFuture<Void> settled() {
        return settled;
    }

    /** True if the claim would be granted, as far as was seen. */
    boolean isReached() {
        return view.reached;
    }

    /** On which version of the name's node the claim may be granted without a listing; {@link #UNKNOWN} if on none. */
    int grantableAt() {
        View now = view;
        return now.reached ? now.version : UNKNOWN;
    }

    /** The one node that is in its way: it waits as long as that is there. {@code null} if that is not so simple. */
    @Nullable
    ChildNode blocker() {
        View now = view;
        return now.alone ? now.blocker : null;
    }

    /** True once for each node that may be a dead client's. */
    synchronized boolean tryDoubt(ChildNode other) {
        boolean first = !other.equals(doubted);
        doubted = other;
        return first;
    }

    // ---- steps --------------------------------------------------------------------------------------------------

    /** A listing by the same client shows the ticket. */
    void isIn(Line seen) {
        begin(() -> look(seen));
    }

    /** Finds out what is in the way. */
    void follow() {
        begin(this::list);
    }

    /** The node is not there any more. */
    void lacks(ChildNode gone) {
        begin(() -> past(gone));
    }

    @Override
    public void process(WatchedEvent event) {
        String changed = event.getPath();
        if (event.getType() != Event.EventType.None && changed != null) {
            begin(() -> changed(changed));
        }
    }

    private void begin(Supplier<CompletableFuture<Void>> step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture<Void> before;
        synchronized (this) {
            before = settled;
            settled = done;
        }
        before.handle((unused, failure) -> null)
                .thenCompose(unused -> isOver() ? finished() : step.get())
                .whenComplete((unused, failure) -> {
                    if (failure == null) {
                        done.complete(null);
                    } else {
                        view = View.NONE;
                        done.completeExceptionally(failure); // a look or the next claim begins again
                    }
                });
    }

    private static CompletableFuture<Void> finished() {
        return CompletableFuture.completedFuture(null);
    }

    private boolean isOver() {
        return places.get(claim.id()) != this;
    }

    private CompletableFuture<Void> changed(String path) {
        ChildNode awaited = view.blocker;
        if (awaited != null) {
            return path.equals(path(awaited)) ? past(awaited) : finished();
        }
        return view.reached ? finished() : list();
    }

    private CompletableFuture<Void> list() {
        return ledger.lines.read(home, line).thenCompose(this::look);
    }

    private CompletableFuture<Void> look(@Nullable Line seen) {
        if (seen == null || seen.waiting(claim.id()) == null) {
            places.remove(this);
            return finished();
        }
        if (seen.isImpossible(claim) || seen.grants(claim)) {
            reach(isPlain() && seen.isBare() ? seen.version() : UNKNOWN);
            return finished();
        }
        ChildNode next = seen.blocker(claim);
        if (next == null) {
            return listen();
        }
        boolean alone = next.type() == ChildNode.Type.WAITS || seen.held().size() == 1;
        boolean last = isPlain() && next.type() == ChildNode.Type.HOLDS && seen.isLast(next);
        return await(
                next,
                claim.type() == ResourceType.LOCK && claim.compatibleWith() == null && alone,
                last ? seen.version() : UNKNOWN);
    }

    /** True if its grant depends on nothing but a free lock and an empty queue in front. */
    private boolean isPlain() {
        return claim.mode() == Mode.EXCLUSIVE && claim.compatibleWith() == null;
    }

    /** Any change can matter: another holder, fewer permits. What changed before the watch is in its listing. */
    private CompletableFuture<Void> listen() {
        view = View.NONE;
        return watch(line).thenCompose(children -> {
            if (children == null) {
                places.remove(this);
                return finished();
            }
            Line seen = Line.of(line, children.names(), children.stat());
            return seen.blocker(claim) == null && !seen.isImpossible(claim) && !seen.grants(claim)
                    ? finished()
                    : look(seen);
        });
    }

    /**
     * Waits for the end of that node.
     *
     * @param alone whether it is the only one whose end matters
     * @param then on which version of the name's node the claim may be granted after that
     */
    private CompletableFuture<Void> await(ChildNode next, boolean alone, int then) {
        view = new View(next, alone, false, then); // before the watch, whose event may come at once
        return watch(path(next)).thenCompose(children -> children == null ? past(next) : finished());
    }

    private CompletableFuture<Void> past(ChildNode gone) {
        View before = view;
        if (!gone.equals(before.blocker)) {
            return finished();
        }
        if (gone.type() == ChildNode.Type.HOLDS && before.version != UNKNOWN) {
            reach(before.version);
            return finished();
        }
        return gone.type() == ChildNode.Type.WAITS && isPlain() ? succeed(gone) : list();
    }

    /** The ticket in front is gone: mostly its claim holds now. */
    private CompletableFuture<Void> succeed(ChildNode gone) {
        CompletableFuture<Void> known = ledger.session.data(home, line).thenCompose(data -> {
            LastGrant last = LastGrant.parse(data.text());
            return last != null && last.isBy(gone)
                    ? await(last.node(), true, data.stat().getVersion())
                    : list();
        });
        return Errors.unless(known, code -> switch (code) {
            case NONODE -> list();
            default -> null;
        });
    }

    /** Calls the claim once. */
    private void reach(int at) {
        boolean again = view.reached;
        view = new View(null, false, true, at);
        if (!again) {
            places.called(claim);
        }
    }

    private CompletableFuture<Session.@Nullable Children> watch(String path) {
        CompletableFuture<Session.@Nullable Children> watching =
                ledger.session.children(home, path, this).thenApply(children -> children);
        return Errors.unless(watching, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }
}
