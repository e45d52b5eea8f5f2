package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether claims are granted, or gives them a ticket.
 *
 * <p><b>How it works.</b> An unused lock has no node: to make it together with that of the claim is the grant, one
 * transaction and one round trip. Otherwise the children of the name's node are listed, the rule decides, and what it
 * decides is written in one transaction on two conditions: that the version of the name's node is the one of the listing,
 * since every grant changes it; and that some child of the listing is there still, which proves that it is
 * the same node, as versions begin again when a node is made again. Where the listing showed no child at all, the node is
 * made anew instead, which fails if it has one by now. Claims that end change no version: nothing that was allowed before
 * is forbidden by that. Nor does a ticket: a grant passes only tickets that came while the claim was decided. A claim
 * looks again once it has a ticket, as the claim in front of it may have ended meanwhile. A client that finds another
 * client was faster lists again.
 *
 * <p>A claim that has a ticket of this process is decided without a listing, on what its {@link Ticket} knows.
 */
final class Claiming {

    private static final int ATTEMPTS = 40;

    private final Ledger ledger;
    private final Session session;
    private final Renewing renewing;
    private final Keeping keeping;
    private final Granting granting;
    private final Tickets tickets;
    private final ClaimListeners listeners;

    Claiming(Ledger ledger, Renewing renewing, Keeping keeping, Tickets tickets, ClaimListeners listeners) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.renewing = renewing;
        this.keeping = keeping;
        this.granting = new Granting(ledger, tickets);
        this.tickets = tickets;
        this.listeners = listeners;
    }

    CompletableFuture<ClaimResult> claim(Claim claim) {
        String path = ledger.tree.name(claim.resource());
        Holding holding = ledger.holdings.get(claim.id());
        if (holding != null) {
            return again(claim, path, holding, 0);
        }
        Ticket ticket = tickets.get(claim.id());
        if (ticket != null) {
            return again(claim, path, ticket);
        }
        return claim.type() == ResourceType.LOCK && !ledger.crowded.has(path)
                ? begin(claim, path, 0)
                : decide(claim, path, 0);
    }

    /** It is granted, or decided again. */
    private CompletableFuture<ClaimResult> orAgain(
            Claim claim, String path, int attempt, CompletableFuture<@Nullable ClaimResult> granted) {
        return granted.thenCompose(outcome ->
                outcome == null ? decide(claim, path, attempt + 1) : CompletableFuture.completedFuture(outcome));
    }

    // ---- the claim is known here --------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> again(Claim claim, String path, Holding holding, int attempt) {
        return renewing.renew(holding, claim)
                .thenCompose(held -> held
                        ? CompletableFuture.completedFuture(new ClaimResult.Granted(holding.token))
                        : decide(claim, path, attempt + 1));
    }

    private CompletableFuture<ClaimResult> again(Claim claim, String path, Ticket ticket) {
        if (ticket.grantableAt() == Ticket.UNKNOWN && ticket.blocker() != null) {
            return keeping.keep(ticket, claim)
                    .thenCompose(status -> status == ClaimStatus.WAITING
                            ? CompletableFuture.completedFuture(new ClaimResult.Busy(keeping.timeLeft(ticket)))
                            : takeTurn(claim, path, ticket));
        }
        return takeTurn(claim, path, ticket);
    }

    private CompletableFuture<ClaimResult> takeTurn(Claim claim, String path, Ticket ticket) {
        int version = ticket.grantableAt();
        return version == Ticket.UNKNOWN
                ? decide(claim, path, 0)
                : orAgain(claim, path, 0, granting.grant(claim, ticket, version));
    }

    // ---- the name is unused -------------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> begin(Claim claim, String path, int attempt) {
        return orAgain(claim, path, attempt, granting.begin(claim, path, attempt));
    }

    // ---- it may be used------------------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> decide(Claim claim, String path, int attempt) {
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(claim.label()));
        }
        if (takesATicketFirst(claim)) {
            return enqueue(claim, path, attempt);
        }
        return ledger.lines
                .read(path)
                .thenCompose(line -> line == null ? unused(claim, path, attempt) : decide(claim, line, attempt, null));
    }

    private CompletableFuture<ClaimResult> unused(Claim claim, String path, int attempt) {
        ledger.crowded.remove(path);
        return begin(claim, path, attempt + 1);
    }

    /** @param fresh the ticket that the claim has just taken; the line is its client's listing */
    private CompletableFuture<ClaimResult> decide(Claim claim, Line line, int attempt, @Nullable Ticket fresh) {
        ChildNode held = line.holding(claim.id());
        if (held != null) {
            return renewing.find(line, held)
                    .thenCompose(found -> found == null
                            ? decide(claim, line.path(), attempt + 1)
                            : again(claim, line.path(), found, attempt));
        }
        if (line.isImpossible(claim)) {
            return refuse(claim, line);
        }
        boolean isNew = fresh != null || line.waiting(claim.id()) == null;
        if (isNew && claim.policy().queues() && !line.ahead(claim).isEmpty() && !line.grants(claim)) {
            return await(claim, line, attempt, fresh); // the tickets in front check the claims in front of them
        }
        return ledger.lines.clear(line, claim).thenCompose(clear -> {
            if (clear.held().size() < line.held().size() && line.held().stream().anyMatch(ChildNode::isLarge)) {
                return decide(claim, line.path(), attempt + 1); // it may have left a floor
            }
            return clear.grants(claim) && !isBetterOffWithAPlace(claim, clear, attempt)
                    ? orAgain(claim, line.path(), attempt, granting.grant(claim, clear, attempt))
                    : await(claim, clear, attempt, fresh);
        });
    }

    /**
     * Whether other clients were faster often enough: a ticket can be had in any case, and a claim that has one does not
     * depend on nodes that come and go. It is notified at once if nothing is in its way. Not so for a claim compatible
     * with one of its owner that holds: the tickets before its own wait for that one.
     */
    private static boolean isBetterOffWithAPlace(Claim claim, Line line, int attempt) {
        return attempt > 1 && claim.policy().queues() && line.waiting(claim.id()) == null && !line.hasOwnersHold(claim);
    }

    private CompletableFuture<ClaimResult> refuse(Claim claim, Line line) {
        tickets.remove(claim.id());
        ChildNode ticket = line.waiting(claim.id());
        if (ticket != null) {
            session.delete(line.path(ticket), -1);
        }
        return CompletableFuture.failedFuture(new StoreRefusedException(
                claim.label() + " has " + line.permits(claim) + " permits, so " + claim.permits() + " can't be had",
                false));
    }

    // ---- the claim waits ----------------------------------------------------------------------------------------

    /** True for what mostly has to wait; if it has not, it is granted with its ticket as well. */
    private boolean takesATicketFirst(Claim claim) {
        return claim.mode() == Mode.EXCLUSIVE
                && claim.policy() == QueuePolicy.QUEUES
                && claim.compatibleWith() == null
                && tickets.get(claim.id()) == null;
    }

    /** Takes a ticket and lists the claims with it, in one round trip. */
    private CompletableFuture<ClaimResult> enqueue(Claim claim, String path, int attempt) {
        ZooKeeperClient home = session.home();
        CompletableFuture<String> made = session.create(
                home, path + "/" + ChildNode.waiting(claim), Keeping.entry(claim), CreateMode.EPHEMERAL_SEQUENTIAL);
        CompletableFuture<@Nullable Line> listed = ledger.lines.read(home, path);
        CompletableFuture<ClaimResult> queued = made.thenCompose(node -> listed.thenCompose(line -> {
            ChildNode ticket = line == null ? null : line.waiting(claim.id());
            if (line == null || ticket == null) {
                return decide(claim, path, attempt + 1); // it is gone already
            }
            if (line.path(ticket).equals(node) && line.holding(claim.id()) == null) {
                return decide(claim, line, attempt, tickets.add(claim, path, ticket, home));
            }
            // It has another ticket or holds, by an earlier attempt whose answer was lost.
            Line rest = line.without(Set.of(ChildNode.of(node)));
            return session.delete(node, -1).thenCompose(unused -> decide(claim, rest, attempt, null));
        }));
        return Errors.unless(queued, code -> switch (code) {
            case NONODE -> unused(claim, path, attempt);
            default -> null;
        });
    }

    private CompletableFuture<ClaimResult> await(Claim claim, Line line, int attempt, @Nullable Ticket fresh) {
        ClaimResult waiting = new ClaimResult.Busy(timeLeft(claim, line));
        listeners.requestRevocation(line.revocable());
        if (fresh != null) {
            fresh.isIn(line);
            return CompletableFuture.completedFuture(waiting);
        }
        ChildNode ticket = line.waiting(claim.id());
        if (ticket == null && !claim.policy().queues()) {
            return CompletableFuture.completedFuture(waiting);
        }
        CompletableFuture<?> placed = ticket == null
                ? session.create(
                                line.path() + "/" + ChildNode.waiting(claim),
                                Keeping.entry(claim),
                                CreateMode.EPHEMERAL_SEQUENTIAL)
                        .thenAccept(path -> follow(claim, line, ChildNode.of(path)))
                : keeping.keep(line.path(ticket), claim).thenAccept(unused -> follow(claim, line, ticket));
        return Errors.unless(placed.thenApply(unused -> waiting), code -> switch (code) {
            case NONODE -> decide(claim, line.path(), attempt + 1);
            default -> null;
        });
    }

    /** The ticket may be known here already, or of an attempt whose answer was lost, or of another process. */
    private void follow(Claim claim, Line line, ChildNode ticket) {
        tickets.add(claim, line.path(), ticket, session.home()).follow();
    }

    /** When the claim may be granted because a lease ends, as far as this client can tell. */
    private Duration timeLeft(Claim claim, Line line) {
        return line.ahead(claim).isEmpty()
                ? line.held().stream()
                        .map(node -> Duration.ofNanos(ledger.sightings.left(line.path(node))))
                        .min(Duration::compareTo)
                        .orElse(Claim.TICKET)
                : Claim.TICKET;
    }
}
