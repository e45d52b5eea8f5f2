package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
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
    private static final long LATE_NANOS = Claim.TICKET.toNanos() * 2 / 5;

    /** What was last seen within such a time of each other expires together. */
    private static final long TOGETHER_NANOS = 20_000_000;

    /** Tickets are renewed and looked at once in such a time. */
    private static final long LOOK_NANOS = Claim.TICKET.toNanos() / 3;

    private final Ledger ledger;
    private final Session session;
    private final Tickets places;
    private final ClaimListeners calls;

    Keeping(Ledger ledger, Tickets places, ClaimListeners calls) {
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
        return Entry.of(claim, Claim.TICKET.toMillis(), 0, 0).bytes();
    }

    /** Renews a ticket of this process; {@code null} if it is gone, and the claim may hold by now. */
    CompletableFuture<@Nullable ClaimStatus> keep(Ticket ticket, Claim claim) {
        return unlessGone(
                keep(ticket.path(), claim)
                        .thenCompose(unused -> settle(ticket))
                        .thenCompose(unused -> status(ticket, claim)),
                () -> places.remove(ticket));
    }

    /** Renews a ticket that a listing shows; {@code null} if it is gone by now. */
    CompletableFuture<@Nullable ClaimStatus> keep(Line line, ChildNode place, Claim claim) {
        return unlessGone(keep(line.path(place), claim).thenCompose(unused -> status(line, claim)), () -> {});
    }

    private static CompletableFuture<@Nullable ClaimStatus> unlessGone(
            CompletableFuture<@Nullable ClaimStatus> kept, Runnable gone) {
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

    private CompletableFuture<@Nullable ClaimStatus> status(Ticket ticket, Claim claim) {
        int version = ticket.grantableAt();
        ChildNode blocker = ticket.blocker();
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

    private CompletableFuture<@Nullable ClaimStatus> settled(Ticket ticket) {
        return settle(ticket).thenApply(unused -> ticket.isReached() ? ClaimStatus.TURN_REACHED : ClaimStatus.WAITING);
    }

    private CompletableFuture<@Nullable ClaimStatus> listed(Ticket ticket, Claim claim) {
        return ledger.lines
                .read(ticket.line())
                .thenCompose(line -> line == null || line.waiting(claim.id()) == null
                        ? CompletableFuture.<@Nullable ClaimStatus>completedFuture(null)
                        : status(line, claim));
    }

    private CompletableFuture<@Nullable ClaimStatus> status(Line line, Claim claim) {
        return ledger.lines.clear(line, claim).thenApply(clear -> {
            if (clear.isImpossible(claim) || clear.grants(claim)) {
                return ClaimStatus.TURN_REACHED;
            }
            calls.requestRevocation(clear.revocable()); // again, in case that the first call was not heard
            return ClaimStatus.WAITING;
        });
    }

    private CompletableFuture<@Nullable ClaimStatus> look(Ticket ticket, ChildNode blocker, Claim claim) {
        if (blocker.revocable()) {
            calls.requestRevocation(List.of(blocker.id()));
        }
        return look(ticket, blocker).thenCompose(seen -> {
            if (seen == null) {
                return settled(ticket);
            }
            boolean late =
                    blocker.type() == ChildNode.Type.WAITS && seen.nanosLeft() < Claim.TICKET.toNanos() - LATE_NANOS;
            return late && ticket.tryDoubt(blocker)
                    ? listed(ticket, claim) // the tickets in front of it may be dead clients' as well
                    : CompletableFuture.<@Nullable ClaimStatus>completedFuture(ClaimStatus.WAITING);
        });
    }

    /** Looks at what is in the way, and again when that expires unless it is renewed; {@code null} if it is gone. */
    private CompletableFuture<Lines.@Nullable Seen> look(Ticket ticket, ChildNode blocker) {
        return ledger.lines.look(ticket.path(blocker), blocker).thenCompose(seen -> {
            if (seen != null) {
                lookAgainAtItsEnd(ticket, blocker);
                return CompletableFuture.completedFuture(seen);
            }
            CompletableFuture<?> cleared =
                    blocker.type() == ChildNode.Type.WAITS ? clear(ticket) : CompletableFuture.completedFuture(null);
            return cleared.thenCompose(unused -> {
                        ticket.lacks(blocker);
                        return settle(ticket);
                    })
                    .thenApply(unused -> {
                        ChildNode next = ticket.blocker();
                        if (next != null) {
                            lookAgainAtItsEnd(ticket, next);
                        }
                        return null;
                    });
        });
    }

    /** Removes the expired tickets in front, not one after the other: those of a dead client expire together. */
    private CompletableFuture<?> clear(Ticket ticket) {
        CompletableFuture<@Nullable Line> listed = ledger.lines.read(ticket.line());
        return listed.thenCompose(line ->
                line == null ? CompletableFuture.completedFuture(null) : ledger.lines.clear(line, ticket.claim()));
    }

    private void lookAgainAtItsEnd(Ticket ticket, ChildNode blocker) {
        long left = ledger.sightings.left(ticket.path(blocker));
        if (left > 0 && left < LOOK_NANOS) {
            CompletableFuture.delayedExecutor(left + TOGETHER_NANOS, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(() -> {
                        if (blocker.equals(ticket.blocker())) {
                            look(ticket, blocker);
                        }
                    });
        }
    }

    /** When a claim with that ticket may be granted because a lease ends, as far as this client can tell. */
    Duration timeLeft(Ticket ticket) {
        ChildNode blocker = ticket.blocker();
        return blocker == null || blocker.type() == ChildNode.Type.WAITS
                ? Claim.TICKET
                : Duration.ofNanos(ledger.sightings.left(ticket.path(blocker)));
    }
}
