package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the tickets of claims that wait, and says how these claims stand. Each ticket looks at what is in its way, about once a
 * second, and removes it when it has expired: the holder, or the ticket in front. So a dead client is noticed while its turn is
 * still to come. What is in the way of a ticket of this process is known, and nothing is listed for it.
 */
final class Keeping {

    /** A ticket that was not seen to be renewed for so long has missed a renewal: its client may be dead. */
    private static final long LATE_NANOS = Claim.PLACE.toNanos() * 2 / 5;

    /** Tickets are renewed and looked at once in such a time. */
    private static final long LOOK_NANOS = Claim.PLACE.toNanos() / 3;

    private final Ledger ledger;
    private final Session session;
    private final Places places;
    private final Calls calls;

    Keeping(Ledger ledger, Places places, Calls calls) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.places = places;
        this.calls = calls;
    }

    /** Renews a ticket. */
    CompletableFuture<?> keep(String path, Claim claim) {
        return session.set(path, entry(claim), -1);
    }

    static byte[] entry(Claim claim) {
        return Entry.of(claim, Claim.PLACE.toMillis(), 0).bytes();
    }

    /** Renews a ticket of this process; {@code null} if it is gone, and the claim may hold by now. */
    CompletableFuture<@Nullable Standing> keep(Ticket ticket, Claim claim) {
        return unlessGone(
                keep(ticket.path(), claim)
                        .thenCompose(unused -> settle(ticket))
                        .thenCompose(unused -> standing(ticket, claim)),
                () -> places.remove(ticket));
    }

    /** Renews a ticket that a listing shows; {@code null} if it is gone by now. */
    CompletableFuture<@Nullable Standing> keep(Line line, Node place, Claim claim) {
        return unlessGone(keep(line.path(place), claim).thenCompose(unused -> standing(line, claim)), () -> {});
    }

    private static CompletableFuture<@Nullable Standing> unlessGone(
            CompletableFuture<@Nullable Standing> kept, Runnable gone) {
        return Errors.unless(kept, code -> switch (code) {
            case NONODE -> {
                gone.run();
                yield CompletableFuture.completedFuture(null);
            }
            default -> null;
        });
    }

    /** What could not be found out before is found out now. */
    private static CompletableFuture<Void> settle(Ticket ticket) {
        return ticket.settled().exceptionallyCompose(failure -> {
            ticket.follow();
            return ticket.settled();
        });
    }

    private CompletableFuture<@Nullable Standing> standing(Ticket ticket, Claim claim) {
        int version = ticket.grantableAt();
        Node blocker = ticket.blocker();
        if (version != Ticket.UNKNOWN) {
            return session.stat(ticket.line()).thenCompose(stat -> {
                if (stat.getVersion() != version) {
                    ticket.follow(); // another claim was granted
                }
                return settled(ticket);
            });
        }
        return blocker == null ? listed(ticket, claim) : look(ticket, blocker, claim);
    }

    private CompletableFuture<@Nullable Standing> settled(Ticket ticket) {
        return settle(ticket).thenApply(unused -> ticket.isReached() ? Standing.CALLED : Standing.WAITING);
    }

    private CompletableFuture<@Nullable Standing> listed(Ticket ticket, Claim claim) {
        return ledger.lines
                .read(ticket.line())
                .thenCompose(line -> line == null || line.waiting(claim.id()) == null
                        ? CompletableFuture.<@Nullable Standing>completedFuture(null)
                        : standing(line, claim));
    }

    private CompletableFuture<@Nullable Standing> standing(Line line, Claim claim) {
        return ledger.lines.clear(line, claim).thenApply(clear -> {
            if (clear.isImpossible(claim) || clear.grants(claim)) {
                return Standing.CALLED;
            }
            calls.ask(clear.yielding()); // again, in case that the first call was not heard
            return Standing.WAITING;
        });
    }

    private CompletableFuture<@Nullable Standing> look(Ticket ticket, Node blocker, Claim claim) {
        if (blocker.yields()) {
            calls.ask(List.of(blocker.id()));
        }
        return look(ticket, blocker).thenCompose(seen -> {
            if (seen == null) {
                return settled(ticket);
            }
            boolean late = blocker.type() == Node.Type.WAITS && seen.nanosLeft() < Claim.PLACE.toNanos() - LATE_NANOS;
            return late && ticket.tryDoubt(blocker)
                    ? listed(ticket, claim) // the tickets in front of it may be dead clients' as well
                    : CompletableFuture.<@Nullable Standing>completedFuture(Standing.WAITING);
        });
    }

    /** Looks at what is in the way, and again when that expires unless it is renewed; {@code null} if it is gone. */
    private CompletableFuture<Lines.@Nullable Seen> look(Ticket ticket, Node blocker) {
        return ledger.lines.look(ticket.path(blocker), blocker).thenApply(seen -> {
            if (seen == null) {
                ticket.lacks(blocker);
            } else if (seen.nanosLeft() < LOOK_NANOS) {
                CompletableFuture.delayedExecutor(seen.nanosLeft(), TimeUnit.NANOSECONDS, Runnable::run)
                        .execute(() -> {
                            if (blocker.equals(ticket.blocker())) {
                                look(ticket, blocker);
                            }
                        });
            }
            return seen;
        });
    }

    /** When a claim with that ticket may be granted because a lease ends, as far as this client can tell. */
    Duration timeLeft(Ticket ticket) {
        Node blocker = ticket.blocker();
        return blocker == null || blocker.type() == Node.Type.WAITS
                ? Claim.PLACE
                : Duration.ofNanos(ledger.sightings.left(ticket.path(blocker)));
    }
}
