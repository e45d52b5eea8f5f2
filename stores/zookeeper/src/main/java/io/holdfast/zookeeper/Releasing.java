package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Ends claims. The release of a lock without other claims deletes the node of the name with that of the claim: one
 * transaction, one round trip, and nothing is left. A claim that waits has left a child, so that this fails; then only
 * the claim goes.
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
        // Beside an exclusive claim there are only tickets, and no listing of them is needed to know of them.
        boolean onlyTickets = holding.node.mode() == Mode.EXCLUSIVE && !holding.node.isLarge();
        CompletableFuture<Left> left = onlyTickets ? counted(holding.line) : listed(holding.line);
        CompletableFuture<ReleaseResult> released = left.thenCombine(ended, (rest, unused) -> {
            tidyIfEmpty(holding.line, rest);
            return new ReleaseResult(true, rest.waiting);
        });
        return Errors.unless(released, code -> switch (code) {
            case NONODE -> search(claim, holding.line, 0);
            default -> null;
        });
    }

    // ---- what is left -------------------------------------------------------------------------------------------

    /**
     * Of the claims of a name when one has ended.
     *
     * @param empty whether its node is there, with nothing below it
     * @param waiting whether claims wait
     */
    private record Left(boolean empty, boolean waiting) {
        static final Left NOTHING = new Left(false, false);
    }

    /** Where all that may be left waits. */
    private CompletableFuture<Left> counted(String path) {
        return orNothing(
                session.stat(path).thenApply(stat -> new Left(stat.getNumChildren() == 0, stat.getNumChildren() > 0)));
    }

    private CompletableFuture<Left> listed(String path) {
        return ledger.lines
                .read(path)
                .thenApply(line -> line == null
                        ? Left.NOTHING
                        : new Left(line.names().isEmpty(), !line.queue().isEmpty()));
    }

    private static CompletableFuture<Left> orNothing(CompletableFuture<Left> left) {
        return Errors.unless(left, code -> switch (code) {
            case NONODE -> CompletableFuture.completedFuture(Left.NOTHING);
            default -> null;
        });
    }

    private void tidyIfEmpty(String path, Left left) {
        if (left.empty) {
            ledger.lines.tidy(path);
        }
    }

    // ---- what is not known here ---------------------------------------------------------------------------------

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
                .thenApply(unused -> new ReleaseResult(true, !line.queue().isEmpty()));
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
        CompletableFuture<ReleaseResult> tidied = counted(path).thenCombine(left, (rest, unused) -> {
            tidyIfEmpty(path, rest);
            return NOT_HELD;
        });
        return Errors.unless(tidied, code -> switch (code) {
            case NONODE -> search(claim, path, 0);
            default -> null;
        });
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
