package io.holdfast.quorum;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the nodes together show of locks. A claim holds if a majority has it, or may have it where some don't answer. */
final class View {

    private final Quorum quorum;

    View(Quorum quorum) {
        this.quorum = quorum;
    }

    CompletableFuture<LockState> inspect(Resource resource) {
        return Round.<LockState>ask(quorum.nodes(), (node, store) -> store.inspect(resource), round -> false)
                .thenApply(round -> {
                    check(resource.label(), round);
                    List<LockState> states = List.copyOf(round.answers().values());
                    Node leader = quorum.leader(List.of());
                    return merged(
                            resource.name(),
                            states,
                            states.size(),
                            leader == null ? null : round.answers().get(leader));
                });
    }

    CompletableFuture<List<LockState>> list(String prefix, int limit) {
        return Round.<List<LockState>>ask(
                        quorum.nodes(), (node, store) -> store.list(ResourceType.LOCK, prefix, limit), round -> false)
                .thenCompose(round -> {
                    check("The list of locks", round);
                    List<List<LockState>> lists = List.copyOf(round.answers().values());
                    return lists.stream().allMatch(list -> list.size() < limit)
                            ? CompletableFuture.completedFuture(merged(lists))
                            : inspected(lists, limit);
                });
    }

    private <T> void check(String what, Round<T> round) {
        if (round.answers().size() < quorum.majority()) {
            throw quorum.tooFew(what, round.failures());
        }
    }

    private List<LockState> merged(List<List<LockState>> lists) {
        Map<String, List<LockState>> byName = new LinkedHashMap<>();
        for (List<LockState> list : lists) {
            for (LockState state : list) {
                byName.computeIfAbsent(state.name(), unused -> new ArrayList<>())
                        .add(state);
            }
        }
        List<LockState> found = new ArrayList<>();
        byName.forEach((name, states) -> {
            LockState state = merged(name, states, lists.size(), null);
            if (state.isLocked()) {
                found.add(state);
            }
        });
        return found;
    }

    /** The nodes had more than they could show, and need not have shown the same: each name is looked at. */
    private CompletableFuture<List<LockState>> inspected(List<List<LockState>> lists, int limit) {
        Set<String> names = new LinkedHashSet<>();
        lists.forEach(list -> list.forEach(state -> names.add(state.name())));
        List<CompletableFuture<LockState>> states =
                names.stream().map(name -> inspect(Resource.lock(name))).toList();
        return CompletableFuture.allOf(states.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> states.stream()
                        .map(CompletableFuture::join)
                        .filter(LockState::isLocked)
                        .limit(limit)
                        .toList());
    }

    /**
     * @param answered how many nodes have answered; a node without a state of the name has no claim there
     * @param atLeader what the leader shows; a claim that has only its vote is the first to wait
     */
    private LockState merged(String name, List<LockState> states, int answered, @Nullable LockState atLeader) {
        Map<String, List<Claimant>> holders = new LinkedHashMap<>();
        for (LockState state : states) {
            for (Claimant holder : state.holders()) {
                holders.computeIfAbsent(ClaimState.idOf(holder.claimId()), unused -> new ArrayList<>())
                        .add(holder);
            }
        }
        // Some claim may have its majority together with nodes that don't answer: of several, the one that has most.
        int most = holders.values().stream().mapToInt(List::size).max().orElse(0);
        int silent = quorum.nodes().size() - answered;
        int needed = most + silent < quorum.majority() ? quorum.majority() : Math.min(most, quorum.majority());
        List<Claimant> holding = new ArrayList<>();
        holders.forEach((id, seen) -> {
            if (seen.size() >= needed) {
                holding.add(holder(id, seen));
            }
        });
        Set<String> held = new LinkedHashSet<>(holders.keySet());
        List<Claimant> first = atLeader == null || holding.isEmpty()
                ? List.of()
                : atLeader.holders().stream()
                        .filter(holder -> isShort(holders, holder, needed))
                        .toList();
        first.forEach(holder -> held.remove(ClaimState.idOf(holder.claimId())));
        List<Claimant> waiters = Stream.concat(
                        first.stream(), states.stream().flatMap(state -> state.waiters().stream()))
                .filter(waiter -> held.add(ClaimState.idOf(waiter.claimId())))
                .map(waiter -> as(waiter, ClaimState.idOf(waiter.claimId()), null, waiter.timeLeft()))
                .toList();
        return new LockState(name, holding, waiters);
    }

    /** Whether too few nodes have it. */
    private static boolean isShort(Map<String, List<Claimant>> holders, Claimant holder, int needed) {
        return holders.getOrDefault(ClaimState.idOf(holder.claimId()), List.of())
                        .size()
                < needed;
    }

    /** One claim as several nodes show it: until when a majority has it, with the token that most of them have. */
    private Claimant holder(String id, List<Claimant> seen) {
        List<Duration> ends = seen.stream()
                .map(Claimant::timeLeft)
                .sorted(Comparator.reverseOrder())
                .toList();
        Map<Long, Integer> tokens = new LinkedHashMap<>();
        seen.stream()
                .map(Claimant::token)
                .filter(Objects::nonNull)
                .forEach(token -> tokens.merge(token, 1, Integer::sum));
        Long token = tokens.entrySet().stream()
                .max(Map.Entry.<Long, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(null);
        Claimant first = seen.stream()
                .filter(holder -> Objects.equals(holder.token(), token))
                .findFirst()
                .orElse(seen.get(0));
        return as(first, id, token, ends.get(Math.min(quorum.majority(), ends.size()) - 1));
    }

    private static Claimant as(Claimant seen, String id, @Nullable Long token, Duration timeLeft) {
        Instant since = seen.since();
        return new Claimant(
                id,
                seen.mode(),
                seen.permits(),
                seen.client(),
                seen.host(),
                seen.process(),
                seen.thread(),
                token,
                seen.holds(),
                since,
                timeLeft);
    }
}
