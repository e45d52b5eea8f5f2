package io.holdfast.quorum;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.QueuePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes, how many of them decide, and what all commands share. */
final class Quorum {

    private final List<Node> nodes;
    private final List<Node> leaderLast;
    private final int majority;
    private final Surroundings world;
    private final Cleaner cleaner;
    private final Known known;
    private final TokenClock tokens = new TokenClock();

    /** @param majority how many decide; only tests have it otherwise than more than half */
    Quorum(List<Node> nodes, int majority, Surroundings world, Cleaner cleaner) {
        this.nodes = List.copyOf(nodes);
        List<Node> reversed = new ArrayList<>(nodes);
        Collections.reverse(reversed);
        this.leaderLast = List.copyOf(reversed);
        this.majority = majority;
        this.world = world;
        this.cleaner = cleaner;
        this.known = new Known(nodes.size(), world);
    }

    static int majorityOf(int nodes) {
        return nodes / 2 + 1;
    }

    List<Node> nodes() {
        return nodes;
    }

    /** So that the next claim there finds the other nodes free. */
    List<Node> leaderLast() {
        return leaderLast;
    }

    int majority() {
        return majority;
    }

    /** So many without a claim, and it has no majority. */
    int minority() {
        return nodes.size() - majority + 1;
    }

    Surroundings world() {
        return world;
    }

    Cleaner cleaner() {
        return cleaner;
    }

    Known known() {
        return known;
    }

    TokenClock tokens() {
        return tokens;
    }

    /** The node that keeps the order of the waiters: the first that answers; {@code null} if all were tried. */
    @Nullable
    Node leader(Collection<Node> except) {
        Node any = null;
        for (Node node : nodes) {
            if (!except.contains(node)) {
                if (node.canLead()) {
                    return node;
                }
                any = any == null ? node : any;
            }
        }
        return any;
    }

    /** The claim as this node is asked for it. */
    Claim at(Node node, ClaimState state, Claim claim, QueuePolicy policy, long minToken) {
        String compatibleWith = claim.compatibleWith();
        return new Claim(
                claim.name(),
                state.idAt(node, claim.id()),
                claim.mode(),
                claim.lease(),
                claim.holds(),
                claim.owner(),
                policy,
                claim.permits(),
                new ClaimOptions(
                        claim.tokens(),
                        claim.capacity(),
                        compatibleWith == null ? null : known.idAt(node, compatibleWith),
                        claim.revocable(),
                        minToken,
                        false));
    }

    /** The claim as this node knows it, for renewing and releasing. */
    Claim at(Node node, Claim claim) {
        String id = known.idAt(node, claim.id());
        String compatibleWith = claim.compatibleWith();
        if (id.equals(claim.id()) && compatibleWith == null) {
            return claim;
        }
        return new Claim(
                claim.name(),
                id,
                claim.mode(),
                claim.lease(),
                claim.holds(),
                claim.owner(),
                claim.policy(),
                claim.permits(),
                new ClaimOptions(
                        claim.tokens(),
                        claim.capacity(),
                        compatibleWith == null ? null : known.idAt(node, compatibleWith),
                        claim.revocable(),
                        claim.minToken(),
                        false));
    }

    /** What is told when too few nodes have answered. */
    HoldfastException tooFew(String what, Map<Node, Throwable> failures) {
        String reasons = failures.entrySet().stream()
                .map(failure -> reason(what, failure.getKey(), failure.getValue()))
                .collect(Collectors.joining("; "));
        String message = what + ": only " + (nodes.size() - failures.size()) + " of " + nodes.size()
                + " nodes answered, " + majority + " are needed (" + reasons + ")";
        boolean refused = failures.values().stream()
                .allMatch(failure -> failure instanceof StoreRefusedException no && !no.retryable());
        Throwable cause = failures.values().stream()
                .map(Quorum::cause)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
        if (cause == null) {
            return refused ? new StoreRefusedException(message, false) : new StoreUnavailableException(message);
        }
        return refused
                ? new StoreRefusedException(message, false, cause)
                : new StoreUnavailableException(message, cause);
    }

    /** What a node failed with, without the label that the message around it begins with, and with the node named once. */
    private static String reason(String what, Node node, Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        String said = message.startsWith(what + ": ") ? message.substring(what.length() + 2) : message;
        return said.contains(node.toString()) ? said : node + ": " + said;
    }

    /** What is behind a node's failure, whose own message says the same. */
    private static Optional<Throwable> cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof HoldfastException) {
            cause = cause.getCause();
        }
        return Optional.ofNullable(cause);
    }
}
