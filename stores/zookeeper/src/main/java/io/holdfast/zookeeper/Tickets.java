package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The tickets that this process has taken in queues. Each watches one node, the one whose end can bring its turn: mostly the
 * one in front of it, so that a release wakes one waiter and not all. When that goes the line is read again, and the claim
 * is called if it would be granted.
 */
final class Tickets {

    private final Ledger ledger;
    private final Consumer<Claim> called;
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();

    /** @param called hears of a claim whose turn has come */
    Tickets(Ledger ledger, Consumer<Claim> called) {
        this.ledger = ledger;
        this.called = called;
    }

    /**
     * Follows the place, unless it is followed already.
     *
     * @param line the node of the name of its queue
     * @param path the place's own node
     */
    void add(Claim claim, String line, String path) {
        Ticket known = tickets.get(claim.id());
        if (known == null || !known.path.equals(path)) {
            Ticket ticket = new Ticket(claim, line, path);
            tickets.put(claim.id(), ticket);
            ticket.follow();
        }
    }

    /** The path of the place that is no more followed; {@code null} if there is none of this process. */
    @Nullable
    String remove(String id) {
        Ticket ticket = tickets.remove(id);
        return ticket == null ? null : ticket.path;
    }

    /** The session has ended, and all places with it. */
    void clear() {
        tickets.clear();
    }

    private final class Ticket implements Watcher {

        private final Claim claim;
        private final String line;
        private final String path;

        /** Whether it was called and has been able to have what it wants since; one step at a time sees it. */
        private volatile boolean wasCalled;

        Ticket(Claim claim, String line, String path) {
            this.claim = claim;
            this.line = line;
            this.path = path;
        }

        private boolean isOver() {
            return tickets.get(claim.id()) != this;
        }

        private void follow() {
            if (!isOver()) {
                ledger.lines
                        .read(line)
                        .thenCompose(this::look)
                        .exceptionally(failure -> null); // the waiter checks once in a while
            }
        }

        private CompletableFuture<Void> look(@Nullable Line seen) {
            if (isOver() || seen == null || seen.waiting(claim.id()) == null) {
                tickets.remove(claim.id(), this);
                return CompletableFuture.completedFuture(null);
            }
            ChildNode blocker = tell(seen) ? null : seen.blocker(claim);
            if (blocker == null) {
                // Any change can matter: another holder, fewer permits. What changed before the watch is in its
                // listing.
                return listen(line).thenAccept(children -> {
                    if (children != null) {
                        tell(Line.of(line, children.names(), children.stat()));
                    }
                });
            }
            return listen(seen.path(blocker)).thenAccept(children -> {
                if (children == null) {
                    follow();
                }
            });
        }

        /** Calls the claim once if its turn has come; whether it has. */
        private boolean tell(Line seen) {
            boolean reached = seen.isImpossible(claim) || seen.grants(claim);
            if (reached && !wasCalled && !isOver() && seen.waiting(claim.id()) != null) {
                called.accept(claim);
            }
            wasCalled = reached;
            return reached;
        }

        private CompletableFuture<Session.@Nullable Children> listen(String node) {
            CompletableFuture<Session.@Nullable Children> listening =
                    ledger.session.children(node, this).thenApply(children -> children);
            return Errors.unless(listening, code -> switch (code) {
                case NONODE -> CompletableFuture.completedFuture(null);
                default -> null;
            });
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != Event.EventType.None) {
                follow();
            }
        }
    }
}
