package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** Renews claims, those that hold and those that wait. What this process has granted itself costs one round trip. */
final class Renewing {

    private final Ledger ledger;
    private final Session session;
    private final Calls calls;

    Renewing(Ledger ledger, Calls calls) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.calls = calls;
    }

    CompletableFuture<Map<String, Standing>> renew(List<Claim> claims) {
        Map<String, Standing> standings = new ConcurrentHashMap<>();
        List<CompletableFuture<?>> renewals = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            renewals.add(renew(claim).thenAccept(standing -> {
                if (standing != null) {
                    standings.put(claim.id(), standing);
                }
            }));
        }
        return Lines.all(renewals).thenApply(unused -> standings);
    }

    private CompletableFuture<@Nullable Standing> renew(Claim claim) {
        Holding holding = ledger.holdings.get(claim.id());
        if (holding == null) {
            return search(claim);
        }
        return renew(holding, claim)
                .thenCompose(held -> held ? CompletableFuture.completedFuture(Standing.HELD) : search(claim));
    }

    private CompletableFuture<@Nullable Standing> search(Claim claim) {
        String path = ledger.tree.name(claim.kind(), claim.name());
        return ledger.lines.read(path).thenCompose(line -> {
            Node held = line == null ? null : line.holding(claim.id());
            Node place = line == null ? null : line.waiting(claim.id());
            if (line != null && held != null) {
                return find(line, held)
                        .thenCompose(
                                found -> found == null ? CompletableFuture.completedFuture(false) : renew(found, claim))
                        .thenApply(still -> still ? Standing.HELD : null);
            }
            return line != null && place != null
                    ? keep(line, place, claim)
                    : CompletableFuture.<@Nullable Standing>completedFuture(null);
        });
    }

    // ---- those that hold ----------------------------------------------------------------------------------------

    /** What the node of a claim says of it; {@code null} if it is gone. */
    CompletableFuture<@Nullable Holding> find(Line line, Node node) {
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
        CompletableFuture<Boolean> done = claim.permits() < holding.node.permits()
                ? shrink(holding, claim, nanos)
                : session.set(holding.path(), holding.entry(claim, nanos).bytes(), -1)
                        .thenApply(stat -> {
                            holding.confirmed(nanos, ledger.now());
                            return true;
                        });
        return Errors.unless(done, code -> {
            if (code != Code.NONODE) {
                return null;
            }
            ledger.holdings.remove(claim.id());
            return CompletableFuture.completedFuture(false);
        });
    }

    /** Fewer permits are another name, and so another node. */
    private CompletableFuture<Boolean> shrink(Holding holding, Claim claim, long nanos) {
        Holding smaller = holding.in(holding.node.withPermits(claim.permits()));
        List<Op> ops = List.of(
                Op.delete(holding.path(), -1),
                session.make(smaller.path(), smaller.entry(claim, nanos).bytes(), CreateMode.PERSISTENT));
        return session.multi(ops).thenApply(results -> {
            smaller.confirmed(nanos, ledger.now());
            ledger.holdings.put(claim.id(), smaller);
            return true;
        });
    }

    // ---- those that wait ----------------------------------------------------------------------------------------

    private CompletableFuture<@Nullable Standing> keep(Line line, Node place, Claim claim) {
        byte[] entry = Entry.of(claim, Claim.PLACE.toMillis(), 0).bytes();
        CompletableFuture<@Nullable Standing> kept = session.set(line.path(place), entry, -1)
                .thenCompose(unused -> ledger.lines.clear(line, claim))
                .thenApply(clear -> {
                    if (clear.isImpossible(claim) || clear.grants(claim)) {
                        return Standing.CALLED;
                    }
                    calls.ask(clear.yielding()); // again, in case that the first call was not heard
                    return Standing.WAITING;
                });
        return Errors.unless(kept, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }
}
