package io.holdfast.quorum;

import io.holdfast.Guarantee;
import io.holdfast.HoldfastException;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store made of several that know nothing of each other: a claim is held when a majority of them hold it, so the locks
 * outlive the loss of a minority. Of five nodes any two may be away; with three away everything is refused, in the time
 * that a node is given for an answer.
 *
 * <p>It keeps plain, fair and read/write locks. Semaphores and latches it refuses ({@link StoreRefusedException}),
 * because a majority could not keep their promises: three claims for one permit each can have a majority each though
 * there are two permits, and nodes that missed a count would disagree on when a latch opens.
 *
 * <p>All clients must have the same nodes, in the same order: the first that answers keeps the order of the waiters.
 * A node that has lost its data must not come back before the longest lease has passed.
 */
public final class QuorumStore implements QueueingStore {

    /** How long a node is given for an answer, unless it is said otherwise. */
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

    private static final int FEWEST = 3;

    private final Quorum quorum;
    private final Renewal renewal;
    private final View view;
    private final StoreTraits traits;
    private final String description;

    private QuorumStore(Quorum quorum) {
        this.quorum = quorum;
        this.renewal = new Renewal(quorum);
        this.view = new View(quorum);
        boolean acrossProcesses =
                quorum.nodes().stream().allMatch(node -> node.store().traits().acrossProcesses());
        this.traits = new StoreTraits(acrossProcesses ? Guarantee.REPLICATED : Guarantee.LOCAL, acrossProcesses);
        this.description =
                "a quorum of " + quorum.nodes().stream().map(Node::toString).collect(Collectors.joining(", "));
    }

    /** As {@link #of(List, Duration)}, with {@link #NODE_TIMEOUT}. */
    public static QuorumStore of(List<? extends LockStore> nodes) {
        return of(nodes, NODE_TIMEOUT);
    }

    /**
     * Makes one store of several. It closes them when it is closed.
     *
     * @param nodes three or more, best an odd number; independent of each other, and the same for all clients in the
     *     same order
     * @param nodeTimeout how long a node is given for an answer; much less than the leases
     * @throws IllegalArgumentException if they are too few, one of them is there twice, or one can't be part of a quorum
     */
    public static QuorumStore of(List<? extends LockStore> nodes, Duration nodeTimeout) {
        Surroundings world = new Machine();
        return of(nodes, nodeTimeout, Quorum.majorityOf(nodes.size()), world, new Cleaner(world));
    }

    static QuorumStore of(
            List<? extends LockStore> stores, Duration timeout, int majority, Surroundings world, Cleaner cleaner) {
        if (stores.size() < FEWEST) {
            throw new IllegalArgumentException(
                    "a quorum needs " + FEWEST + " nodes at least, of which one may be away, not " + stores.size());
        }
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("a node needs some time to answer, not " + timeout);
        }
        Set<LockStore> different = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Node> nodes = new ArrayList<>();
        for (LockStore store : stores) {
            if (!different.add(store)) {
                throw new IllegalArgumentException(store.description() + " is there twice: it would have two votes");
            }
            if (!store.traits().minTokens()) {
                throw new IllegalArgumentException(store.description()
                        + " can't be part of a quorum: it does not give the tokens that it is told to");
            }
            nodes.add(new Node(nodes.size(), store, world, timeout.toNanos()));
        }
        return new QuorumStore(new Quorum(nodes, majority, world, cleaner));
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    /** What a test may count: nothing of this is left when nothing is held, asked for or given back. */
    int inUse() {
        return quorum.known().inUse() + quorum.cleaner().size();
    }

    // ---- claims -----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        if (claim.type() != ResourceType.LOCK) {
            return refused(claim.resource());
        }
        ClaimState state = quorum.known().enter(claim.id(), claim.lease().toNanos());
        return state.afterOthers(() -> new ClaimAttempt(quorum, claim, state).run());
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return renewal.renew(claims);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        if (claim.type() != ResourceType.LOCK) {
            return refused(claim.resource());
        }
        ClaimState state = quorum.known().get(claim.id());
        boolean waited = state != null && !state.isGranted();
        if (state != null) {
            state.end();
        }
        List<Claim> sent =
                quorum.nodes().stream().map(node -> quorum.at(node, claim)).toList();
        Node leader = quorum.leader(List.of());
        return Round.<ReleaseResult>ask(
                        quorum.leaderLast(),
                        (node, store) -> store.release(sent.get(node.index())),
                        // The next claim may begin with the leader, and is to find it free.
                        round -> round.answers().size() >= quorum.majority()
                                && (round.count(ReleaseResult::held) >= quorum.majority()
                                        || round.count(release -> !release.held()) >= quorum.minority())
                                && (leader == null || leader.isSuspect() || round.hasHeard(leader)))
                .thenApply(round -> {
                    Duration longest = longestLease(claim, state);
                    round.missed(node -> quorum.cleaner()
                            .giveBack(node, sent.get(node.index()).withLease(longest)));
                    if (round.answers().size() < quorum.majority()) {
                        throw quorum.tooFew(claim.label(), round.failures());
                    }
                    if (state != null) {
                        quorum.known().released(claim.id(), state);
                    }
                    boolean gone = round.count(release -> !release.held()) >= quorum.minority();
                    boolean contended = round.count(ReleaseResult::contended) > 0;
                    return new ReleaseResult(!gone && !waited, contended);
                });
    }

    /** How long a node may keep the claim: it may have been extended since it was made. */
    private static Duration longestLease(Claim claim, @Nullable ClaimState state) {
        Duration longest = Duration.ofNanos(state == null ? 0 : state.leaseNanos);
        return longest.compareTo(claim.lease()) > 0 ? longest : claim.lease();
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        if (resource.type() != ResourceType.LOCK) {
            return refused(resource);
        }
        return Round.<Boolean>ask(quorum.nodes(), (node, store) -> store.forceRelease(resource, token), round -> false)
                .thenApply(round -> {
                    if (round.answers().size() < quorum.majority()) {
                        throw quorum.tooFew(resource.label(), round.failures());
                    }
                    long held = round.count(was -> was);
                    return held > 0 && held + round.failures().size() >= quorum.majority();
                });
    }

    /** Of any majority that grants later, one node has been told, and the token that they agree on is the greatest of theirs. */
    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return Round.<Boolean>ask(
                        quorum.nodes(),
                        (node, store) -> store.raiseTokens(above).thenApply(nothing -> true),
                        round -> false)
                .thenAccept(round -> {
                    if (round.answers().size() < quorum.majority()) {
                        HoldfastException tooFew = quorum.tooFew("raising the tokens", round.failures());
                        boolean refused =
                                round.failures().values().stream().allMatch(StoreRefusedException.class::isInstance);
                        throw refused
                                ? new StoreRefusedException(
                                        String.valueOf(tooFew.getMessage()), tooFew.retryable(), tooFew)
                                : tooFew;
                    }
                });
    }

    // ---- hearing and looking ----------------------------------------------------------------------------------

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return new MajorityWatch(quorum, changed).watch(resource);
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        ClaimListener heard = new NodeListener(listener);
        List<Subscription> all = quorum.nodes().stream()
                .map(Node::store)
                .map(store -> Objects.requireNonNull(store.capability(QueueingStore.class))
                        .subscribe(client, heard))
                .toList();
        return () -> all.forEach(Subscription::close);
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return resource.type() == ResourceType.LOCK ? view.inspect(resource) : refused(resource);
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return type == ResourceType.LOCK ? view.list(prefix, limit) : refused(new Resource(type, prefix));
    }

    /** It has queues if its nodes have, and neither semaphores nor latches: a majority can't keep them. */
    @Override
    public <T> @Nullable T capability(Class<T> type) {
        boolean queues = quorum.nodes().stream().allMatch(node -> node.store().capability(QueueingStore.class) != null);
        return type == QueueingStore.class && !queues ? null : QueueingStore.super.capability(type);
    }

    private <T> CompletionStage<T> refused(Resource resource) {
        return CompletableFuture.failedFuture(new StoreRefusedException(
                resource.label() + " can't be kept by " + description + ". Use another store for it", false));
    }

    @Override
    public void close() {
        quorum.cleaner().close();
        quorum.world().close();
        quorum.nodes().forEach(node -> node.store().close());
    }
}
