package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews claims that hold or wait. What this process has granted itself costs one round trip. */
final class Renewing {

    private static final Logger log = LoggerFactory.getLogger(Renewing.class);

    /** A renewal goes to another server if this one has been silent for such a part of the lease. */
    private static final int SILENCES = 6;

    private static final long SHORTEST_SILENCE_NANOS = 250_000_000;

    private final Ledger ledger;
    private final Session session;
    private final Tickets tickets;
    private final Keeping keeping;

    Renewing(Ledger ledger, Tickets tickets, Keeping keeping) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.tickets = tickets;
        this.keeping = keeping;
    }

    /** A claim that can't be renewed does not affect the rest: only its own status is unknown. */
    CompletableFuture<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        Map<String, ClaimStatus> statuses = new ConcurrentHashMap<>();
        Map<String, Throwable> failures = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> renewals = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            CompletableFuture<Void> renewal = renew(claim).thenAccept(status -> {
                if (status != null) {
                    statuses.put(claim.id(), status);
                }
            });
            renewals.add(renewal.exceptionally(failure -> {
                failures.put(claim.id(), failure);
                return null;
            }));
        }
        return Lines.all(renewals).thenCompose(unused -> {
            if (!failures.isEmpty() && failures.size() == claims.size()) {
                return CompletableFuture.failedFuture(
                        failures.values().iterator().next());
            }
            failures.forEach((id, failure) -> {
                log.debug("The claim {} could not be renewed, others could", id, failure);
                statuses.put(id, ClaimStatus.UNKNOWN);
            });
            return CompletableFuture.completedFuture(statuses);
        });
    }

    private CompletableFuture<@Nullable ClaimStatus> renew(Claim claim) {
        Holding holding = ledger.holdings.get(claim.id());
        if (holding == null) {
            return search(claim);
        }
        return renew(holding, claim)
                .thenCompose(held -> held ? CompletableFuture.completedFuture(ClaimStatus.HELD) : search(claim));
    }

    private CompletableFuture<@Nullable ClaimStatus> search(Claim claim) {
        Ticket ticket = tickets.get(claim.id());
        return ticket == null
                ? list(claim)
                : keeping.keep(ticket, claim)
                        .thenCompose(
                                status -> status == null ? list(claim) : CompletableFuture.completedFuture(status));
    }

    private CompletableFuture<@Nullable ClaimStatus> list(Claim claim) {
        String path = ledger.tree.name(claim.resource());
        return ledger.lines.read(path).thenCompose(line -> {
            ChildNode held = line == null ? null : line.holding(claim.id());
            ChildNode ticket = line == null ? null : line.waiting(claim.id());
            if (line != null && held != null) {
                return find(line, held)
                        .thenCompose(
                                found -> found == null ? CompletableFuture.completedFuture(false) : renew(found, claim))
                        .thenApply(still -> still ? ClaimStatus.HELD : null);
            }
            return line != null && ticket != null
                    ? keeping.keep(line, ticket, claim)
                    : CompletableFuture.<@Nullable ClaimStatus>completedFuture(null);
        });
    }

    // ---- claims that hold ---------------------------------------------------------------------------------------

    /** What the node of a claim says of it; {@code null} if it is gone. */
    CompletableFuture<@Nullable Holding> find(Line line, ChildNode node) {
        return ledger.lines.look(line, List.of(node)).thenApply(seen -> {
            if (seen.isEmpty()) {
                return null;
            }
            Lines.Seen one = seen.get(0);
            Holding found = Holding.found(line.path(), node, one.entry(), one.stat(), one.nanosLeft());
            ledger.holdings.put(node.id(), found);
            return found;
        });
    }

    /** Sets the claim anew; false if it does not hold in that node any more. */
    CompletableFuture<Boolean> renew(Holding holding, Claim claim) {
        long nanos = holding.promise(claim.lease(), ledger.now());
        CompletableFuture<Boolean> done = claim.permits() < holding.node.permits() || holding.isOutgrownBy(nanos)
                ? move(holding, claim, nanos)
                : write(holding, claim, nanos);
        return Errors.unless(done, code -> {
            if (code != Code.NONODE) {
                return null;
            }
            ledger.holdings.remove(claim.id());
            return CompletableFuture.completedFuture(false);
        });
    }

    private CompletableFuture<Boolean> write(Holding holding, Claim claim, long nanos) {
        holding.sent(nanos);
        long silence = Math.max(SHORTEST_SILENCE_NANOS, claim.lease().toNanos() / SILENCES);
        return session.set(holding.path(), holding.entry(claim, nanos).bytes(), -1, silence)
                .whenComplete((stat, failure) -> {
                    if (failure == null || Errors.isAnswer(failure)) {
                        holding.answered();
                    }
                })
                .thenApply(stat -> {
                    holding.confirmed(nanos, ledger.now());
                    return true;
                });
    }

    /**
     * Makes another node for the claim: fewer permits are another name; and what was sent to the old node and not answered
     * can't shorten the lease in the new one, however late it comes. A decision on an earlier listing is refused,
     * by the version: a node that is gone is not always a claim that has ended.
     */
    private CompletableFuture<Boolean> move(Holding holding, Claim claim, long nanos) {
        Holding moved = holding.in(holding.node.withPermits(Math.min(claim.permits(), holding.node.permits())));
        List<Op> ops = List.of(
                Session.touch(holding.line, -1),
                Op.delete(holding.path(), -1),
                session.make(moved.path(), moved.entry(claim, nanos).bytes(), CreateMode.PERSISTENT));
        return session.multi(ops).thenApply(results -> {
            moved.confirmed(nanos, ledger.now());
            ledger.holdings.put(claim.id(), moved);
            return true;
        });
    }
}
