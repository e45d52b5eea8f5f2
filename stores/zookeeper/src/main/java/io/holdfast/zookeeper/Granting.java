package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
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
 * Writes grants: each is one transaction, on the condition that what was decided is still right. The answer is {@code null} if
 * it is not, or may not be; then the claim is to be decided again.
 */
final class Granting {

    private static final int AT_ONCE = 8;

    private final Ledger ledger;
    private final Session session;
    private final Tickets places;

    Granting(Ledger ledger, Tickets places) {
        this.ledger = ledger;
        this.session = ledger.session;
        this.places = places;
    }

    /** Of a name that no claim uses: makes its node. */
    CompletableFuture<@Nullable ClaimResult> begin(Claim claim, String path, int attempt) {
        List<Op> ops = new ArrayList<>(3);
        ops.add(session.makeContainer(path));
        if (claim.type() == ResourceType.SEMAPHORE) {
            ops.add(session.make(
                    path + "/" + ChildNode.capacity(claim.capacity()), Session.NOTHING, CreateMode.PERSISTENT));
            if (claim.permits() > claim.capacity()) {
                return transact(path, attempt, true, session.multi(ops)).thenApply(unused -> null);
            }
        }
        return grant(claim, ChildNode.holding(claim), path, attempt, ops, 0, true);
    }

    /** To a ticket that has nothing in its way on that version of the name's node. */
    CompletableFuture<@Nullable ClaimResult> grant(Claim claim, Ticket ticket, int version) {
        ChildNode node = ChildNode.holding(claim);
        List<Op> ops = new ArrayList<>(3);
        ops.add(Session.touch(ticket.line(), record(node, ticket.node()), version));
        ops.add(Op.delete(ticket.path(), -1)); // that it was there shows that the node of the name is the same
        return grant(claim, node, ticket.line(), 0, ops, 0, false);
    }

    /** What the node of the name is to hold when a claim was granted by that ticket, in its turn. */
    private static byte[] record(ChildNode node, ChildNode place) {
        return node.isLarge() ? Session.NOTHING : new LastGrant(node, place.sequence()).bytes();
    }

    /** To a claim that may be granted as the line shows. */
    CompletableFuture<@Nullable ClaimResult> grant(Claim claim, Line line, int attempt) {
        if (line.names().isEmpty()) {
            List<Op> ops = new ArrayList<>(3);
            ops.add(Op.delete(line.path(), -1));
            ops.add(session.makeContainer(line.path()));
            return grant(claim, ChildNode.holding(claim), line.path(), attempt, ops, 0, true);
        }
        List<ChildNode> large = line.held().stream().filter(ChildNode::isLarge).toList();
        return ledger.tokens
                .known()
                .thenCompose(counted -> large.isEmpty()
                        ? grant(claim, line, attempt, line.floor(counted.base()))
                        : ledger.lines.look(line, large).thenCompose(seen -> {
                            if (seen.size() < large.size()) {
                                return CompletableFuture.completedFuture(
                                        null); // it has left a floor, in no listing yet
                            }
                            long floor = line.floor(counted.base());
                            for (Lines.Seen one : seen) {
                                floor = Math.max(
                                        floor,
                                        one.entry().token(one.stat())
                                                + one.node().tokens());
                            }
                            return grant(claim, line, attempt, floor);
                        }));
    }

    private CompletableFuture<@Nullable ClaimResult> grant(Claim claim, Line line, int attempt, long floor) {
        ChildNode node = ChildNode.holding(claim);
        ChildNode place = line.waiting(claim.id());
        boolean alone = claim.mode() == Mode.EXCLUSIVE && line.held().isEmpty() && floor == 0;
        boolean inTurn = alone && line.ahead(claim).isEmpty();
        List<Op> ops = unchanged(line, claim, place != null && inTurn ? record(node, place) : Session.NOTHING);
        for (ChildNode ticket : line.tickets(claim.id())) {
            ops.add(Op.delete(line.path(ticket), -1));
        }
        line.floors().forEach(passed -> ops.add(Op.delete(line.path(passed), -1)));
        if (floor > 0) {
            ops.add(session.make(
                    line.path() + "/" + ChildNode.floor(floor + claim.tokens()),
                    Session.NOTHING,
                    CreateMode.PERSISTENT));
        }
        return grant(claim, node, line.path(), attempt, ops, floor, false);
    }

    /** @param node the one that is to hold */
    private CompletableFuture<@Nullable ClaimResult> grant(
            Claim claim, ChildNode node, String path, int attempt, List<Op> ops, long floor, boolean alone) {
        return ledger.tokens
                .known()
                .thenCompose(counted -> grant(claim, node, path, attempt, ops, floor, alone, counted));
    }

    private CompletableFuture<@Nullable ClaimResult> grant(
            Claim claim,
            ChildNode node,
            String path,
            int attempt,
            List<Op> conditions,
            long floor,
            boolean alone,
            TokenBase.Known counted) {
        List<Op> ops = new ArrayList<>(conditions);
        byte[] entry = Entry.of(claim, Holding.millis(claim.lease().toNanos()), floor, counted.base())
                .bytes();
        ops.add(session.make(path + "/" + node.name(), entry, CreateMode.PERSISTENT));
        ops.add(ledger.tokens.check(counted));
        boolean begins = ops.get(0).getType() == ZooDefs.OpCode.createContainer;
        CompletableFuture<List<OpResult>> sent = session.multi(ops, ledger.tokens::forget);
        return transact(path, attempt, begins, sent).thenApply(results -> {
            if (results == null) {
                return null;
            }
            long token = Tokens.of(Session.zxid(results), floor, counted.base());
            ledger.holdings.put(
                    claim.id(),
                    Holding.granted(path, node, token, alone, floor, counted.base(), claim.lease(), ledger.now()));
            places.remove(claim.id());
            return new ClaimResult.Granted(token);
        });
    }

    /**
     * The conditions on which what was decided on the line holds: its version, and that it is the same node.
     *
     * @param data what the node of the name holds after that
     */
    private static List<Op> unchanged(Line line, Claim claim, byte[] data) {
        List<Op> ops = new ArrayList<>();
        ops.add(Session.touch(line.path(), data, line.version()));
        ChildNode capacity = line.capacity();
        String anchor = capacity == null ? anchor(line, claim) : capacity.name();
        ops.add(Op.check(line.path() + "/" + anchor, -1));
        return ops;
    }

    /** The child that is the least likely to be gone by then: its own ticket, or a holder, or the newest ticket. */
    private static String anchor(Line line, Claim claim) {
        ChildNode place = line.waiting(claim.id());
        if (place != null) {
            return place.name();
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
