package io.holdfast.quorum;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to get a claim from a majority of the nodes, or nothing.
 *
 * <p><b>How it works.</b> A claim that barges asks all nodes at once. If it has some votes and not enough, other claims are
 * colliding with it: it releases its votes and asks one node alone, the leader. All clients that see the same nodes have
 * the same leader, so one of the colliding claims goes on to ask the rest, and the other claims know that they have lost.
 * A claim that gives way or queues always begins with the leader: its queue is the order of the waiters. A claim that
 * queues keeps the leader's vote if the rest is not to be had, since it is its turn; it releases all other votes.
 *
 * <p>Every vote that counts was given during this attempt, so its lease runs from later than the attempt began. The engine
 * believes in a grant for the lease that it asked for, less the time since it sent for it and the margin for clocks: so it
 * is over for the holder before it is at any of the nodes.
 *
 * <p><b>Tokens.</b> The token is one that a majority has recorded for this claim, and none of them for any other: nodes
 * that gave different ones are asked again, with the greatest as the floor, until enough have it. The next grant needs a
 * vote of one of them, which will not give it, or less.
 */
final class ClaimAttempt {

    private static final int TRIES = 6;
    private static final int TOKEN_ROUNDS = 20;

    /** How long the rest is asked for, at least, and as a multiple of the time that the leader took to answer. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    private static final int LONGEST_ANSWERS = 6;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int LOOK_DOUBLINGS = 5;

    private final Quorum quorum;
    private final Claim claim;
    private final ClaimState state;
    private final long start;
    private final long firstFloor;
    private final CompletableFuture<ClaimResult> result = new CompletableFuture<>();

    /** The votes, with the token that each came with. */
    private final Map<Node, Long> votes = new LinkedHashMap<>();

    private final Map<Node, Duration> busy = new LinkedHashMap<>();
    private final Map<Node, Throwable> failures = new LinkedHashMap<>();

    /** Where something of the claim is, or may be. */
    private final Set<Node> touched = new LinkedHashSet<>();

    private @Nullable Node leader;
    private int tries;
    private long triesUntil;
    private int tokenRounds;

    ClaimAttempt(Quorum quorum, Claim claim, ClaimState state) {
        this.quorum = quorum;
        this.claim = claim;
        this.state = state;
        this.start = quorum.world().nanos();
        this.firstFloor = quorum.tokens().guess(start);
    }

    CompletableFuture<ClaimResult> run() {
        if (state.isGranted()) {
            askAgain();
        } else if (isBesideHeld()) {
            askBeside();
        } else if (claim.policy() == QueuePolicy.BARGES) {
            askAll();
        } else {
            askLeader(new ArrayList<>());
        }
        return result;
    }

    // ---- votes ------------------------------------------------------------------------------------------------

    private void askAll() {
        ask(quorum.nodes(), firstFloor, false, round -> {
            if (hasMajority()) {
                agreeOnToken();
            } else if (isOutOfReach()) {
                fail();
            } else if (votes.isEmpty()) {
                giveUp(null);
            } else {
                giveBack(List.copyOf(touched));
                askLeader(new ArrayList<>());
            }
        });
    }

    /** Whether its owner holds the lock already, by a claim that this one may stand beside. */
    private boolean isBesideHeld() {
        String compatibleWith = claim.compatibleWith();
        ClaimState held = compatibleWith == null ? null : quorum.known().get(compatibleWith);
        return held != null && held.isGranted() && !held.isOver();
    }

    /**
     * The nodes that have the owner's other claim grant this one, whatever waits there. The leader may not be one of them
     * and have given its vote to a waiter, which keeps it until the owner has left: so the claim takes no place there.
     */
    private void askBeside() {
        ask(quorum.nodes(), firstFloor, false, round -> {
            if (hasMajority()) {
                agreeOnToken();
            } else if (isOutOfReach()) {
                fail();
            } else {
                giveBack(List.copyOf(touched));
                lookAgainSoon();
            }
        });
    }

    private void askLeader(List<Node> tried) {
        Node next = tried.isEmpty() ? placeOrLeader() : quorum.leader(tried);
        if (next == null) {
            fail();
            return;
        }
        leader = next;
        long asked = quorum.world().nanos();
        ask(List.of(next), firstFloor, false, round -> {
            if (votes.containsKey(next)) {
                long won = quorum.world().nanos();
                triesUntil = won + Math.max(LONGEST_NANOS, (won - asked) * LONGEST_ANSWERS);
                askTheRest();
            } else if (busy.containsKey(next)) {
                if (claim.policy().queues()) {
                    state.waitsAt(next, start);
                }
                giveUp(next);
            } else {
                tried.add(next);
                giveBack(List.of(next));
                askLeader(tried);
            }
        });
    }

    /** Where it has its place, unless that is gone. */
    private @Nullable Node placeOrLeader() {
        int ticket = state.ticket();
        if (ticket >= 0) {
            Node kept = quorum.nodes().get(ticket);
            if (kept.canLead()) {
                return kept;
            }
            giveBack(List.of(kept));
        }
        return quorum.leader(List.of());
    }

    private void askTheRest() {
        List<Node> rest =
                quorum.nodes().stream().filter(node -> !votes.containsKey(node)).toList();
        ask(rest, firstFloor, false, round -> {
            if (hasMajority()) {
                agreeOnToken();
            } else if (isOutOfReach()) {
                fail();
            } else if (++tries < TRIES
                    && quorum.world().nanos() - triesUntil < 0
                    && elapsed() < claim.lease().toNanos() / 4) {
                pause(this::askTheRest);
            } else {
                standDown();
            }
        });
    }

    /** It was its turn, but too many nodes have another claim. */
    private void standDown() {
        Node kept = leader;
        boolean keeps = claim.policy().queues() && kept != null && kept == quorum.leader(List.of());
        if (keeps && kept != null) {
            state.waitsAt(kept, start);
            giveBack(touched.stream().filter(node -> node != kept).toList());
            lookAgainSoon();
        } else {
            giveUp(null);
        }
    }

    private void lookAgainSoon() {
        long look = LOOK_NANOS << Math.min(state.lookInVain(), LOOK_DOUBLINGS);
        Duration again = Duration.ofNanos(look + quorum.world().random(look));
        Duration left = timeLeft();
        answer(new ClaimResult.Busy(left.compareTo(again) < 0 ? left : again));
    }

    // ---- tokens -----------------------------------------------------------------------------------------------

    private void agreeOnToken() {
        Long agreed = agreedToken();
        if (agreed != null) {
            granted(agreed);
            return;
        }
        long greatest = votes.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        if (tokenRounds++ == TOKEN_ROUNDS) {
            failures.putIfAbsent(
                    quorum.nodes().get(0),
                    new StoreUnavailableException("the nodes can't agree on a token; do all of them heed its floor?"));
            fail();
            return;
        }
        quorum.tokens().learn(greatest, quorum.world().nanos());
        // Also the nodes that have not answered yet, since they may by then.
        ask(List.copyOf(touched), greatest, true, round -> {
            if (hasMajority()) {
                agreeOnToken();
            } else {
                fail();
            }
        });
    }

    /** A token that a majority has. */
    private @Nullable Long agreedToken() {
        Map<Long, Integer> counts = new HashMap<>();
        for (Long token : votes.values()) {
            if (counts.merge(token, 1, Integer::sum) >= quorum.majority()) {
                return token;
            }
        }
        return null;
    }

    // ---- a claim that is granted already ----------------------------------------------------------------------

    /**
     * An earlier attempt was granted, and its holder may believe in it: nothing is released. Or the answer came too late for
     * that, and another owner has had the lock since: then no majority has its token any more, and a new grant needs another
     * token.
     */
    private void askAgain() {
        ask(quorum.nodes(), state.token(), true, round -> {
            if (hasMajority()) {
                agreeOnToken();
            } else if (busy.size() >= quorum.minority()) {
                state.lost();
                giveUp(null);
            } else {
                fail();
            }
        });
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    /** @param exact whether a majority counts only if it has one token */
    private void ask(List<Node> asked, long minToken, boolean exact, Consumer<Round<ClaimResult>> then) {
        if (state.isOver()) {
            abandon();
            return;
        }
        Map<Node, Claim> sent = new HashMap<>();
        for (Node node : asked) {
            QueuePolicy policy = node == leader ? claim.policy() : QueuePolicy.BARGES;
            sent.put(node, quorum.at(node, state, claim, policy, minToken));
        }
        touched.addAll(asked);
        long others =
                votes.keySet().stream().filter(node -> !asked.contains(node)).count();
        Round.<ClaimResult>ask(
                        asked,
                        (node, store) -> store.claim(asAsked(sent, node)),
                        round -> isDecided(round, asked, others, exact))
                .thenAccept(round -> {
                    note(round);
                    round.later((node, outcome) -> late(node, asAsked(sent, node), outcome));
                    if (state.isOver()) {
                        abandon();
                    } else {
                        then.accept(round);
                    }
                })
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        finish(() -> result.completeExceptionally(Node.unwrapped(failure)));
                    }
                });
    }

    private static Claim asAsked(Map<Node, Claim> sent, Node node) {
        return Objects.requireNonNull(sent.get(node));
    }

    /**
     * Enough is a majority. Less is known to be less without the nodes that did not answer before: while a claim waited for
     * these in vain, its votes would block other claims, and their votes would block it.
     */
    private boolean isDecided(Round<ClaimResult> round, List<Node> asked, long others, boolean exact) {
        long granted = others + round.count(outcome -> outcome instanceof ClaimResult.Granted);
        if (exact ? agreed(round) : granted >= quorum.majority()) {
            return true;
        }
        // Where too few have answered to decide without them, they are waited for as long as they have.
        boolean enoughAnswered = others + round.answers().size() >= quorum.majority();
        boolean outOfReach = granted + round.pending() < quorum.majority();
        return asked.size() > 1
                && (enoughAnswered || outOfReach)
                && round.unknown().stream().allMatch(node -> round.failures().containsKey(node) || node.isSuspect());
    }

    private boolean agreed(Round<ClaimResult> round) {
        Map<Long, Integer> counts = new HashMap<>();
        return round.answers().values().stream()
                .anyMatch(outcome -> outcome instanceof ClaimResult.Granted granted
                        && counts.merge(granted.token(), 1, Integer::sum) >= quorum.majority());
    }

    private void note(Round<ClaimResult> round) {
        round.answers().forEach((node, outcome) -> {
            votes.remove(node);
            busy.remove(node);
            failures.remove(node);
            if (outcome instanceof ClaimResult.Granted granted) {
                votes.put(node, granted.token());
            } else if (outcome instanceof ClaimResult.Busy waiting) {
                busy.put(node, waiting.retryAfter());
                if (node != leader || !claim.policy().queues()) {
                    touched.remove(node);
                }
            }
        });
        for (Node node : round.unknown()) {
            votes.remove(node);
            busy.remove(node);
            failures.put(
                    node,
                    round.failures().getOrDefault(node, new StoreUnavailableException(node + " has not answered yet")));
        }
    }

    /** A node granted when it was no longer counted on; it stays only if the claim still goes by that id there. */
    private void late(Node node, Claim sent, ClaimResult outcome) {
        boolean left = outcome instanceof ClaimResult.Granted || sent.policy().queues();
        if (left && (state.isOver() || !state.idAt(node, claim.id()).equals(sent.id()))) {
            quorum.cleaner().giveBack(node, sent);
        }
    }

    private void pause(Runnable then) {
        long pause = PAUSE_NANOS * tries / 2 + quorum.world().random(PAUSE_NANOS * tries);
        quorum.world().after(pause, then);
    }

    private boolean hasMajority() {
        return votes.size() >= quorum.majority();
    }

    /** Too few nodes answer for any claim to have a majority. */
    private boolean isOutOfReach() {
        return votes.size() + busy.size() < quorum.majority();
    }

    private long elapsed() {
        return quorum.world().nanos() - start;
    }

    /** When enough of the claims in the way may have ended by themselves. */
    private Duration timeLeft() {
        List<Duration> ends = busy.values().stream().sorted().toList();
        int needed = Math.max(1, quorum.majority() - votes.size());
        return ends.isEmpty() ? Duration.ofMillis(1) : ends.get(Math.min(needed, ends.size()) - 1);
    }

    // ---- ends -------------------------------------------------------------------------------------------------

    private void granted(long token) {
        state.waitsNowhere();
        state.granted(token);
        if (state.isOver()) {
            abandon();
        } else {
            answer(new ClaimResult.Granted(token));
        }
    }

    /** Another claim has it. Nothing of this claim stays but its ticket, if it takes one. */
    private void giveUp(@Nullable Node ticket) {
        Duration left = timeLeft();
        giveBack(touched.stream()
                .filter(node -> node != ticket || !claim.policy().queues())
                .toList());
        answer(new ClaimResult.Busy(left));
    }

    private void fail() {
        if (!state.isGranted()) { // or its holder may believe in it
            giveBack(List.copyOf(touched));
        }
        finish(() -> result.completeExceptionally(quorum.tooFew(label(), failures)));
    }

    private void abandon() {
        state.lost();
        giveBack(List.copyOf(touched));
        finish(() -> result.completeExceptionally(
                new StoreUnavailableException(label() + " was given back while it was asked for")));
    }

    private void giveBack(List<Node> nodes) {
        for (Node node : nodes) {
            quorum.cleaner().giveBack(node, quorum.at(node, state, claim, claim.policy(), 0));
            state.burn(node);
            votes.remove(node);
            touched.remove(node);
        }
    }

    private void answer(ClaimResult outcome) {
        finish(() -> result.complete(outcome));
    }

    private void finish(Runnable completion) {
        quorum.known().leave(claim.id(), state);
        completion.run();
    }

    private String label() {
        return claim.label();
    }
}
