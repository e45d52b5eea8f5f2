package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Ends claims. The release of a lock without other claims deletes the node of the name with that of the claim: one
 * transaction, one round trip, and nothing is left. A client that wanted the lock meanwhile has changed the version or left a
 * child, so that this fails; then only the claim goes.
 */
final class Releasing {

    private static final int ATTEMPTS = 40;
    private static final ReleaseResult NOT_HELD = new ReleaseResult(false, false);

    private final Ledger ledger;
    private final Session session;
    private final Tickets tickets;

    Releasing(Ledger ledger, Tickets tickets) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.tickets = tickets;
    }

    CompletableFuture<ReleaseResult> release(Claim claim) {
        String path = ledger.tree.name(claim.resource());
        Ticket ticket = tickets.remove(claim.id());
        Holding holding = ledger.holdings.get(claim.id());
        if (holding == null) {
            return ticket == null ? search(claim, path, 0) : leave(claim, path, ticket.path());
        }
        ledger.holdings.remove(claim.id());
        if (!holding.alone || claim.type() == ResourceType.SEMAPHORE || holding.node.isLarge()) {
            return end(claim, holding);
        }
        CompletableFuture<ReleaseResult> all = session.multi(List.of(Op.delete(holding.path(), -1), Op.delete(path, 0)))
                .thenApply(unused -> new ReleaseResult(true, false));
        return Errors.unless(all, code -> switch (code) {
            case NONODE, BADVERSION, NOTEMPTY -> end(claim, holding);
            default -> null;
        });
    }

    /** Ends what is known to have held; the look behind it, in the same round trip, tells of other claims. */
    private CompletableFuture<ReleaseResult> end(Claim claim, Holding holding) {
        CompletableFuture<?> ended =
                session.multi(ledger.lines.removal(holding.path(), holding.node, holding.token, -1));
        CompletableFuture<ReleaseResult> released = left(holding.line).thenCombine(ended, (left, unused) -> {
            tidyIfEmpty(holding.line, left);
            return new ReleaseResult(true, left == null || left.getVersion() > 0 || left.getNumChildren() > 0);
        });
        return Errors.unless(released, code -> switch (code) {
            case NONODE -> search(claim, holding.line, 0);
            default -> null;
        });
    }

    private CompletableFuture<ReleaseResult> search(Claim claim, String path, int attempt) {
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(claim.label()));
        }
        return ledger.lines.read(path).thenCompose(line -> {
            ChildNode held = line == null ? null : line.holding(claim.id());
            if (line == null || (held == null && line.tickets(claim.id()).isEmpty())) {
                return CompletableFuture.completedFuture(NOT_HELD);
            }
            CompletableFuture<ReleaseResult> ended = held == null
                    ? leave(line, claim)
                    : ledger.lines.look(line, List.of(held)).thenCompose(seen -> end(line, seen));
            return Errors.unless(ended, code -> switch (code) {
                case NONODE, BADVERSION -> search(claim, path, attempt + 1);
                default -> null;
            });
        });
    }

    private CompletableFuture<ReleaseResult> end(Line line, List<Lines.Seen> seen) {
        if (seen.isEmpty()) {
            return CompletableFuture.completedFuture(NOT_HELD);
        }
        return end(line, seen, new ArrayList<>())
                .thenApply(unused -> new ReleaseResult(
                        true, line.version() > 0 || !line.queue().isEmpty()));
    }

    private CompletableFuture<Void> end(Line line, List<Lines.Seen> seen, List<Op> ops) {
        for (Lines.Seen one : seen) {
            ops.addAll(ledger.lines.removal(
                    line.path(one.node()), one.node(), one.entry().token(one.stat()), -1));
        }
        boolean last = line.names().size() == seen.size() && ops.size() == seen.size();
        return session.multi(ops).thenAccept(unused -> {
            if (last) {
                ledger.lines.tidy(line.path());
            }
        });
    }

    private CompletableFuture<ReleaseResult> leave(Line line, Claim claim) {
        List<Op> ops = new ArrayList<>();
        for (ChildNode ticket : line.tickets(claim.id())) {
            ops.add(Op.delete(line.path(ticket), -1));
        }
        return session.multi(ops).thenApply(unused -> {
            if (line.names().size() == ops.size()) {
                ledger.lines.tidy(line.path());
            }
            return NOT_HELD;
        });
    }

    /** Gives up a place that this process has taken. */
    private CompletableFuture<ReleaseResult> leave(Claim claim, String path, String ticket) {
        CompletableFuture<Void> left = session.delete(ticket, -1);
        CompletableFuture<ReleaseResult> tidied = left(path).thenCombine(left, (stat, unused) -> {
            tidyIfEmpty(path, stat);
            return NOT_HELD;
        });
        return Errors.unless(tidied, code -> switch (code) {
            case NONODE -> search(claim, path, 0);
            default -> null;
        });
    }

    /** How many nodes are left below that of a name, among other things; {@code null} if it is gone itself. */
    private CompletableFuture<@Nullable Stat> left(String path) {
        CompletableFuture<@Nullable Stat> left = session.stat(path).thenApply(stat -> stat);
        return Errors.unless(left, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(null);
            default -> null;
        });
    }

    private void tidyIfEmpty(String path, @Nullable Stat left) {
        if (left != null && left.getNumChildren() == 0) {
            ledger.lines.tidy(path);
        }
    }

    /** Ends the claims that hold, or the one whose grant began with the token; whether there was one. */
    CompletableFuture<Boolean> force(Resource resource, OptionalLong token) {
        return force(resource, token, 0);
    }

    private CompletableFuture<Boolean> force(Resource resource, OptionalLong token, int attempt) {
        String path = ledger.tree.name(resource);
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(resource.label()));
        }
        return ledger.lines.read(path).thenCompose(line -> {
            if (line == null) {
                return CompletableFuture.completedFuture(false);
            }
            CompletableFuture<Boolean> forced = ledger.lines
                    .look(line, line.held())
                    .thenCompose(seen -> {
                        // A path is never used twice: its node is still the claim that was seen, or it is gone.
                        List<Lines.Seen> meant = seen.stream()
                                .filter(one -> token.isEmpty() || one.entry().token(one.stat()) == token.getAsLong())
                                .toList();
                        return meant.isEmpty()
                                ? CompletableFuture.completedFuture(false)
                                : end(line, meant, new ArrayList<>()).thenApply(unused -> true);
                    });
            return Errors.unless(forced, code -> code == Code.NONODE ? force(resource, token, attempt + 1) : null);
        });
    }
}
