package io.holdfast.zookeeper;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;

/**
 * Grants claims, or gives them a place.
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
 */
final class Claiming {

    private static final int ATTEMPTS = 40;
    private static final int AT_ONCE = 8;

    private final Ledger ledger;
    private final Session session;
    private final Renewing renewing;
    private final Tickets tickets;
    private final ClaimListeners listeners;

    Claiming(Ledger ledger, Renewing renewing, Tickets tickets, ClaimListeners listeners) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.renewing = renewing;
        this.tickets = tickets;
        this.listeners = listeners;
    }

    CompletableFuture<ClaimResult> claim(Claim claim) {
        String path = ledger.tree.name(claim.resource());
        Holding holding = ledger.holdings.get(claim.id());
        if (holding != null) {
            return again(claim, path, holding, 0);
        }
        return claim.type() == ResourceType.LOCK && !ledger.crowded.has(path)
                ? begin(claim, path, 0)
                : decide(claim, path, 0);
    }

    // ---- the claim holds already --------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> again(Claim claim, String path, Holding holding, int attempt) {
        return renewing.renew(holding, claim)
                .thenCompose(held -> held
                        ? CompletableFuture.completedFuture(new ClaimResult.Granted(holding.token))
                        : decide(claim, path, attempt + 1));
    }

    // ---- the name is unused -------------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> begin(Claim claim, String path, int attempt) {
        List<Op> ops = new ArrayList<>(3);
        ops.add(session.makeContainer(path));
        if (claim.type() == ResourceType.SEMAPHORE) {
            ops.add(session.make(
                    path + "/" + ChildNode.capacity(claim.capacity()), Session.NOTHING, CreateMode.PERSISTENT));
            if (claim.permits() > claim.capacity()) {
                return transact(path, attempt, true, session.multi(ops))
                        .thenCompose(unused -> decide(claim, path, attempt + 1));
            }
        }
        return grant(claim, path, attempt, ops, 0, true);
    }

    // ---- it may be used------------------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> decide(Claim claim, String path, int attempt) {
        if (attempt > ATTEMPTS) {
            return CompletableFuture.failedFuture(ledger.errors.crowded(claim.label()));
        }
        return ledger.lines.read(path).thenCompose(line -> {
            if (line == null) {
                ledger.crowded.remove(path);
                return begin(claim, path, attempt + 1);
            }
            ChildNode held = line.holding(claim.id());
            if (held != null) {
                return renewing.find(line, held)
                        .thenCompose(found ->
                                found == null ? decide(claim, path, attempt + 1) : again(claim, path, found, attempt));
            }
            if (line.isImpossible(claim)) {
                return refuse(claim, line);
            }
            boolean isNew = line.waiting(claim.id()) == null;
            if (isNew && claim.policy().queues() && !line.ahead(claim).isEmpty() && !line.grants(claim)) {
                return await(claim, line, attempt); // the tickets in front check the claims in front of them
            }
            return ledger.lines.clear(line, claim).thenCompose(clear -> {
                if (clear.held().size() < line.held().size()
                        && line.held().stream().anyMatch(ChildNode::isLarge)) {
                    return decide(claim, path, attempt + 1); // it may have left a floor
                }
                return clear.grants(claim) && !isBetterOffWithAPlace(claim, clear, attempt)
                        ? grant(claim, clear, attempt)
                        : await(claim, clear, attempt);
            });
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

    private CompletableFuture<ClaimResult> grant(Claim claim, Line line, int attempt) {
        if (line.names().isEmpty()) {
            List<Op> ops = new ArrayList<>(3);
            ops.add(Op.delete(line.path(), -1));
            ops.add(session.makeContainer(line.path()));
            return grant(claim, line.path(), attempt, ops, 0, true);
        }
        List<ChildNode> large = line.held().stream().filter(ChildNode::isLarge).toList();
        return large.isEmpty()
                ? grant(claim, line, attempt, line.floor())
                : ledger.lines.look(line, large).thenCompose(seen -> {
                    if (seen.size() < large.size()) {
                        return decide(claim, line.path(), attempt + 1); // it has left a floor, in no listing yet
                    }
                    long floor = line.floor();
                    for (Lines.Seen one : seen) {
                        floor = Math.max(
                                floor,
                                one.entry().token(one.stat()) + one.node().tokens());
                    }
                    return grant(claim, line, attempt, floor);
                });
    }

    private CompletableFuture<ClaimResult> grant(Claim claim, Line line, int attempt, long floor) {
        List<Op> ops = unchanged(line, claim);
        for (ChildNode ticket : line.tickets(claim.id())) {
            ops.add(Op.delete(line.path(ticket), -1));
        }
        line.floors().forEach(node -> ops.add(Op.delete(line.path(node), -1)));
        if (floor > 0) {
            ops.add(session.make(
                    line.path() + "/" + ChildNode.floor(floor + claim.tokens()),
                    Session.NOTHING,
                    CreateMode.PERSISTENT));
        }
        return grant(claim, line.path(), attempt, ops, floor, false).whenComplete((outcome, failure) -> {
            if (outcome instanceof ClaimResult.Granted) {
                tickets.remove(claim.id());
            }
        });
    }

    private CompletableFuture<ClaimResult> grant(
            Claim claim, String path, int attempt, List<Op> ops, long floor, boolean alone) {
        ChildNode node = ChildNode.holding(claim);
        byte[] entry =
                Entry.of(claim, Holding.millis(claim.lease().toNanos()), floor).bytes();
        ops.add(session.make(path + "/" + node.name(), entry, CreateMode.PERSISTENT));
        boolean begins = ops.get(0).getType() == ZooDefs.OpCode.createContainer;
        return transact(path, attempt, begins, session.multi(ops)).thenCompose(results -> {
            if (results == null) {
                return decide(claim, path, attempt + 1);
            }
            long token = Tokens.of(Session.zxid(results), floor);
            ledger.holdings.put(
                    claim.id(), Holding.granted(path, node, token, alone, floor, claim.lease(), ledger.now()));
            return CompletableFuture.completedFuture(new ClaimResult.Granted(token));
        });
    }

    // ---- the claim waits ----------------------------------------------------------------------------------------

    private CompletableFuture<ClaimResult> await(Claim claim, Line line, int attempt) {
        ClaimResult waiting = new ClaimResult.Busy(timeLeft(claim, line));
        listeners.requestRevocation(line.revocable());
        byte[] entry = Entry.of(claim, Claim.TICKET.toMillis(), 0).bytes();
        ChildNode ticket = line.waiting(claim.id());
        if (ticket != null) {
            CompletableFuture<ClaimResult> kept = session.set(line.path(ticket), entry, -1)
                    .thenApply(unused -> {
                        tickets.add(claim, line.path(), line.path(ticket)); // the answer that it was taken may be lost
                        return waiting;
                    });
            return Errors.unless(kept, code -> switch (code) {
                case NONODE -> decide(claim, line.path(), attempt + 1);
                default -> null;
            });
        }
        if (!claim.policy().queues()) {
            mark(line);
            return CompletableFuture.completedFuture(waiting);
        }
        CompletableFuture<ClaimResult> queued = session.create(
                        line.path() + "/" + ChildNode.waiting(claim), entry, CreateMode.EPHEMERAL_SEQUENTIAL)
                .thenApply(path -> {
                    tickets.add(claim, line.path(), path);
                    return waiting;
                });
        return Errors.unless(queued, code -> switch (code) {
            case NONODE -> decide(claim, line.path(), attempt + 1);
            default -> null;
        });
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

    /** Leaves a sign for the release that the lock is wanted: the version is not that of a new node then. */
    private void mark(Line line) {
        if (line.version() == 0) {
            session.set(line.path(), Session.NOTHING, 0);
        }
    }

    // ---- transactions -------------------------------------------------------------------------------------------

    /** The conditions on which what was decided on the line holds: its version, and that it is the same node. */
    private static List<Op> unchanged(Line line, Claim claim) {
        List<Op> ops = new ArrayList<>();
        ops.add(Session.touch(line.path(), line.version()));
        ChildNode capacity = line.capacity();
        String anchor = capacity == null ? anchor(line, claim) : capacity.name();
        ops.add(Op.check(line.path() + "/" + anchor, -1));
        return ops;
    }

    /** The child that is the least likely to be gone by then: its own ticket, or a holder, or the newest ticket. */
    private static String anchor(Line line, Claim claim) {
        ChildNode ticket = line.waiting(claim.id());
        if (ticket != null) {
            return ticket.name();
        }
        if (!line.held().isEmpty()) {
            return line.held().get(0).name();
        }
        return line.queue().isEmpty()
                ? line.names().get(0)
                : line.queue().get(line.queue().size() - 1).name();
    }

    /**
     * The results, or {@code null} if another client was faster.
     *
     * @param begins whether it makes the node of the name, whose ancestors may be missing
     */
    private CompletableFuture<@Nullable List<OpResult>> transact(
            String path, int attempt, boolean begins, CompletableFuture<List<OpResult>> sent) {
        CompletableFuture<@Nullable List<OpResult>> done = sent.thenApply(results -> results);
        return Errors.unless(done, code -> {
            if (code == Code.NODEEXISTS) {
                ledger.crowded.put(path, true);
            }
            return switch (code) {
                case NODEEXISTS, BADVERSION, NOTEMPTY -> later(attempt);
                case NONODE ->
                    begins ? session.createAll(Session.parent(path)).thenApply(unused -> null) : later(attempt);
                default -> null;
            };
        });
    }

    private static <T> CompletableFuture<@Nullable T> later(int attempt) {
        if (attempt < AT_ONCE) {
            return CompletableFuture.completedFuture(null);
        }
        long pause = ThreadLocalRandom.current().nextLong(1L << Math.min(attempt - AT_ONCE + 1, 5));
        Supplier<@Nullable T> nothing = () -> null;
        return CompletableFuture.supplyAsync(
                nothing, CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, Runnable::run));
    }
}
