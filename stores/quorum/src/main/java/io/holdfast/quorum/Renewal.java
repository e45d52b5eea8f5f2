package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.QueuePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Renews claims at all nodes: what a majority has is held. A node that has lost a claim which the other nodes still have, or
 * never got it, is asked to take it over, so that a claim that began on a bare majority does not stay there.
 */
final class Renewal {

    private final Quorum quorum;

    Renewal(Quorum quorum) {
        this.quorum = quorum;
    }

    /** How one claim stands at the nodes that have said so. */
    private static final class Tally {

        final Claim claim;
        final @Nullable ClaimState state;
        final List<Node> holding = new ArrayList<>();
        final List<Node> without = new ArrayList<>();
        final List<Node> silent = new ArrayList<>();

        @Nullable
        ClaimStatus waiting;

        Tally(Claim claim, @Nullable ClaimState state) {
            this.claim = claim;
            this.state = state;
        }

        boolean isGranted() {
            return state != null && state.isGranted() && !state.isOver();
        }
    }

    CompletableFuture<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        if (claims.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        long sentAt = quorum.world().nanos();
        Map<Node, List<Claim>> sent = new LinkedHashMap<>();
        for (Claim claim : claims) {
            ClaimState state = quorum.known().get(claim.id(), claim.lease().toNanos());
            int ticket = state == null || state.isGranted() ? -1 : state.ticket();
            for (Node node : quorum.nodes()) {
                if (ticket < 0 || ticket == node.index()) { // a place is at one node only
                    sent.computeIfAbsent(node, unused -> new ArrayList<>()).add(claim);
                }
            }
        }
        return Round.<Map<String, ClaimStatus>>ask(
                        List.copyOf(sent.keySet()),
                        (node, store) -> store.renew(sent.getOrDefault(node, List.of()).stream()
                                .map(claim -> quorum.at(node, claim))
                                .toList()),
                        round -> isDecided(round, claims))
                .thenCompose(round -> {
                    List<Tally> tallies = claims.stream()
                            .map(claim -> tally(claim, sent, round))
                            .toList();
                    List<CompletableFuture<?>> taking = new ArrayList<>();
                    tallies.forEach(tally -> taking.addAll(takeUp(tally)));
                    return CompletableFuture.allOf(taking.toArray(CompletableFuture<?>[]::new))
                            .thenApply(done -> statuses(tallies, round, sentAt));
                });
    }

    /** All are held, or the missing answers can't be waited for. */
    private boolean isDecided(Round<Map<String, ClaimStatus>> round, List<Claim> claims) {
        if (round.answers().size() < quorum.majority()) {
            return false;
        }
        return claims.stream()
                .allMatch(claim -> round.answers().entrySet().stream()
                                .filter(answer -> status(answer.getKey(), claim, answer.getValue()) == ClaimStatus.HELD)
                                .count()
                        >= quorum.majority());
    }

    private @Nullable ClaimStatus status(Node node, Claim claim, Map<String, ClaimStatus> answer) {
        return answer.get(quorum.known().idAt(node, claim.id()));
    }

    private Tally tally(Claim claim, Map<Node, List<Claim>> sent, Round<Map<String, ClaimStatus>> round) {
        Tally tally = new Tally(claim, quorum.known().get(claim.id()));
        for (Node node : quorum.nodes()) {
            Map<String, ClaimStatus> answer = round.answers().get(node);
            if (answer == null) {
                if (sent.getOrDefault(node, List.of()).contains(claim)) {
                    tally.silent.add(node);
                }
                continue;
            }
            ClaimStatus status = status(node, claim, answer);
            if (status == ClaimStatus.HELD) {
                tally.holding.add(node);
            } else if (status == null) {
                tally.without.add(node);
            } else if (tally.waiting == null) {
                tally.waiting = status;
            }
        }
        return tally;
    }

    // ---- taking up --------------------------------------------------------------------------------------------

    /** Has the nodes take up a claim that they lack; what is to be waited for is what decides whether it is held. */
    private List<CompletableFuture<?>> takeUp(Tally tally) {
        boolean lost = tally.without.size() >= quorum.minority();
        if (!tally.isGranted() || lost || tally.without.isEmpty()) {
            return List.of();
        }
        boolean matters = tally.holding.size() < quorum.majority();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (Node node : List.copyOf(tally.without)) {
            CompletableFuture<?> taken = takeUp(tally, node);
            if (matters) {
                all.add(taken);
            }
        }
        return all;
    }

    private CompletableFuture<?> takeUp(Tally tally, Node node) {
        ClaimState state = tally.state;
        if (state == null) {
            return CompletableFuture.completedFuture(null);
        }
        Claim claim = quorum.at(node, state, tally.claim, QueuePolicy.BARGES, state.token());
        Node.Call<ClaimResult> call = node.ask(store -> store.claim(claim));
        call.answer().thenAccept(outcome -> {
            if (outcome instanceof ClaimResult.Granted && !tally.isGranted()) {
                quorum.cleaner().giveBack(node, claim); // it was given back meanwhile
            }
        });
        return call.timely().handle((outcome, failure) -> {
            synchronized (tally) {
                if (outcome instanceof ClaimResult.Granted) {
                    tally.without.remove(node);
                    tally.holding.add(node);
                }
            }
            return null;
        });
    }

    // ---- the answer -------------------------------------------------------------------------------------------

    private Map<String, ClaimStatus> statuses(List<Tally> tallies, Round<Map<String, ClaimStatus>> round, long sentAt) {
        Map<String, ClaimStatus> statuses = new HashMap<>();
        boolean known = false;
        for (Tally tally : tallies) {
            ClaimStatus status = status(tally, sentAt);
            known |= status != ClaimStatus.UNKNOWN;
            if (status != null) {
                statuses.put(tally.claim.id(), status);
            }
        }
        if (!known) {
            Claim first = tallies.get(0).claim;
            throw quorum.tooFew(first.label(), round.failures());
        }
        return statuses;
    }

    private @Nullable ClaimStatus status(Tally tally, long sentAt) {
        synchronized (tally) {
            int held = tally.holding.size();
            if (held >= quorum.majority()) {
                return ClaimStatus.HELD;
            }
            if (isAtItsPlace(tally)) {
                if (!tally.silent.isEmpty()) {
                    return ClaimStatus.UNKNOWN;
                }
                if (held > 0) {
                    return ClaimStatus.TURN_REACHED; // a vote that it has kept: it is its turn
                }
                lookAtPlace(tally, sentAt);
                return tally.waiting;
            }
            if (!tally.isGranted() && tally.waiting != null) {
                return tally.waiting;
            }
            return held + tally.silent.size() >= quorum.majority() ? ClaimStatus.UNKNOWN : null;
        }
    }

    /** A ticket that is gone before its time was never there: then another node keeps the order better than this one. */
    private void lookAtPlace(Tally tally, long sentAt) {
        ClaimState state = tally.state;
        int ticket = state == null ? -1 : state.ticket();
        if (state == null || ticket < 0) {
            return;
        }
        if (tally.waiting != null) {
            state.placeKept(sentAt);
        } else if (state.placeLasts(quorum.world().nanos())) {
            quorum.nodes().get(ticket).keepsNoPlaces();
        }
    }

    private static boolean isAtItsPlace(Tally tally) {
        return tally.state != null && !tally.isGranted() && tally.state.ticket() >= 0;
    }
}
