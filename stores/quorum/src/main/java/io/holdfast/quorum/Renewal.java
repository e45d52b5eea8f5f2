package io.holdfast.quorum;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Turn;
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
        Standing waiting;

        Tally(Claim claim, @Nullable ClaimState state) {
            this.claim = claim;
            this.state = state;
        }

        boolean isGranted() {
            return state != null && state.isGranted() && !state.isOver();
        }
    }

    CompletableFuture<Map<String, Standing>> renew(List<Claim> claims) {
        if (claims.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        long sentAt = quorum.world().nanos();
        Map<Node, List<Claim>> sent = new LinkedHashMap<>();
        for (Claim claim : claims) {
            ClaimState state = quorum.known().get(claim.id(), claim.lease().toNanos());
            int place = state == null || state.isGranted() ? -1 : state.place();
            for (Node node : quorum.nodes()) {
                if (place < 0 || place == node.index()) { // a place is at one node only
                    sent.computeIfAbsent(node, unused -> new ArrayList<>()).add(claim);
                }
            }
        }
        return Round.<Map<String, Standing>>ask(
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
                            .thenApply(done -> standings(tallies, round, sentAt));
                });
    }

    /** All are held, or the missing answers can't be waited for. */
    private boolean isDecided(Round<Map<String, Standing>> round, List<Claim> claims) {
        if (round.answers().size() < quorum.majority()) {
            return false;
        }
        return claims.stream()
                .allMatch(claim -> round.answers().entrySet().stream()
                                .filter(answer -> standing(answer.getKey(), claim, answer.getValue()) == Standing.HELD)
                                .count()
                        >= quorum.majority());
    }

    private @Nullable Standing standing(Node node, Claim claim, Map<String, Standing> answer) {
        return answer.get(quorum.known().idAt(node, claim.id()));
    }

    private Tally tally(Claim claim, Map<Node, List<Claim>> sent, Round<Map<String, Standing>> round) {
        Tally tally = new Tally(claim, quorum.known().get(claim.id()));
        for (Node node : quorum.nodes()) {
            Map<String, Standing> answer = round.answers().get(node);
            if (answer == null) {
                if (sent.getOrDefault(node, List.of()).contains(claim)) {
                    tally.silent.add(node);
                }
                continue;
            }
            Standing standing = standing(node, claim, answer);
            if (standing == Standing.HELD) {
                tally.holding.add(node);
            } else if (standing == null) {
                tally.without.add(node);
            } else if (tally.waiting == null) {
                tally.waiting = standing;
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
        Claim claim = quorum.at(node, state, tally.claim, Turn.BARGES, state.token());
        Node.Call<Outcome> call = node.ask(store -> store.claim(claim));
        call.answer().thenAccept(outcome -> {
            if (outcome instanceof Outcome.Granted && !tally.isGranted()) {
                quorum.cleaner().giveBack(node, claim); // it was given back meanwhile
            }
        });
        return call.timely().handle((outcome, failure) -> {
            synchronized (tally) {
                if (outcome instanceof Outcome.Granted) {
                    tally.without.remove(node);
                    tally.holding.add(node);
                }
            }
            return null;
        });
    }

    // ---- the answer -------------------------------------------------------------------------------------------

    private Map<String, Standing> standings(List<Tally> tallies, Round<Map<String, Standing>> round, long sentAt) {
        Map<String, Standing> standings = new HashMap<>();
        boolean known = false;
        for (Tally tally : tallies) {
            Standing standing = standing(tally, sentAt);
            known |= standing != Standing.UNKNOWN;
            if (standing != null) {
                standings.put(tally.claim.id(), standing);
            }
        }
        if (!known) {
            Claim first = tallies.get(0).claim;
            throw quorum.tooFew(Quorum.label(first.kind(), first.name()), round.failures());
        }
        return standings;
    }

    private @Nullable Standing standing(Tally tally, long sentAt) {
        synchronized (tally) {
            int held = tally.holding.size();
            if (held >= quorum.majority()) {
                return Standing.HELD;
            }
            if (isAtItsPlace(tally)) {
                if (!tally.silent.isEmpty()) {
                    return Standing.UNKNOWN;
                }
                if (held > 0) {
                    return Standing.CALLED; // a vote that it has kept: it is its turn
                }
                lookAtPlace(tally, sentAt);
                return tally.waiting;
            }
            if (!tally.isGranted() && tally.waiting != null) {
                return tally.waiting;
            }
            return held + tally.silent.size() >= quorum.majority() ? Standing.UNKNOWN : null;
        }
    }

    /** A ticket that is gone before its time was never there: then another node keeps the order better than this one. */
    private void lookAtPlace(Tally tally, long sentAt) {
        ClaimState state = tally.state;
        int place = state == null ? -1 : state.place();
        if (state == null || place < 0) {
            return;
        }
        if (tally.waiting != null) {
            state.placeKept(sentAt);
        } else if (state.placeLasts(quorum.world().nanos())) {
            quorum.nodes().get(place).keepsNoPlaces();
        }
    }

    private static boolean isAtItsPlace(Tally tally) {
        return tally.state != null && !tally.isGranted() && tally.state.place() >= 0;
    }
}
