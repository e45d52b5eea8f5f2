package io.holdfast.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes claims as a client does, and asks one store about them, waiting for each answer. */
final class Claims {

    private final LockStore store;
    private final String client = UUID.randomUUID().toString();
    private final AtomicInteger made = new AtomicInteger();

    Claims(LockStore store) {
        this.store = store;
    }

    Claim make(String name, Duration lease) {
        return make(name, lease, 1);
    }

    Claim make(String name, Duration lease, int tokens) {
        String id = client + ":" + made.incrementAndGet();
        return new Claim(name, id, Mode.EXCLUSIVE, lease, 1, tokens, new Owner("tck", "a-host", 42, "a-thread"));
    }

    Claim exclusive(String name, QueuePolicy policy) {
        return make(name, Mode.EXCLUSIVE, policy, 1, 1, null);
    }

    Claim exclusive(String name, QueuePolicy policy, int tokens) {
        Claim one = make(name, Contract.LONG, tokens);
        return new Claim(
                name, one.id(), one.mode(), one.lease(), 1, one.owner(), policy, 1, ClaimOptions.tokens(tokens));
    }

    Claim shared(String name, QueuePolicy policy) {
        return make(name, Mode.SHARED, policy, 1, 1, null);
    }

    /** A shared claim of an owner that has the other claim already. */
    Claim sharedBeside(String name, Claim other) {
        return sharedBeside(name, other, QueuePolicy.BARGES);
    }

    Claim sharedBeside(String name, Claim other, QueuePolicy policy) {
        return make(name, Mode.SHARED, policy, 1, 1, other.id());
    }

    Claim permits(String name, int permits, int capacity, QueuePolicy policy) {
        return make(name, Mode.PERMITS, policy, permits, capacity, null);
    }

    private Claim make(
            String name, Mode mode, QueuePolicy policy, int permits, int capacity, @Nullable String compatibleWith) {
        Claim one = make(name, Contract.LONG);
        return new Claim(
                name,
                one.id(),
                mode,
                one.lease(),
                1,
                one.owner(),
                policy,
                permits,
                ClaimOptions.NONE.withCapacity(capacity).withCompatible(compatibleWith));
    }

    /** What the ids of these claims begin with. */
    String client() {
        return client;
    }

    /** Leaves the test out on a store without a queue if the claim is one that only a queue can serve. */
    ClaimResult claim(Claim claim) throws Exception {
        assumeTrue(
                claim.policy() == QueuePolicy.BARGES || store.capability(QueueingStore.class) != null,
                "this store has no queue");
        return Contract.await(store.claim(claim).toCompletableFuture());
    }

    /** Claims what must be free, and gives the token. */
    long granted(Claim claim) throws Exception {
        return grant(claim).token();
    }

    /** Claims what must be free, and returns the next claims of this client, as far as the store names them. */
    List<String> next(Claim claim) throws Exception {
        return grant(claim).next().stream().map(ClaimResult.Next::claimId).toList();
    }

    private ClaimResult.Granted grant(Claim claim) throws Exception {
        ClaimResult outcome = claim(claim);
        if (outcome instanceof ClaimResult.Granted grant) {
            return grant;
        }
        throw new AssertionError("expected a grant of " + told(claim) + ", not " + outcome + ": " + stateOf(claim));
    }

    /** Claims what another owner has, and returns the time that is left of it. */
    Duration refused(Claim claim) throws Exception {
        ClaimResult outcome = claim(claim);
        if (outcome instanceof ClaimResult.Busy waiting) {
            return waiting.retryAfter();
        }
        throw new AssertionError("expected to wait with " + told(claim) + ", not " + outcome + ": " + stateOf(claim));
    }

    /** What the rule looks at in a claim, for messages. */
    private static String told(Claim claim) {
        String what = claim.type() == ResourceType.SEMAPHORE
                ? claim.permits() + " permits"
                : claim.mode().name();
        return claim.id() + " (" + what + ", " + claim.policy() + ", lease " + claim.lease()
                + (claim.compatibleWith() == null ? "" : ", beside " + claim.compatibleWith()) + ")";
    }

    /** The holders of a claim's name, and its waiters, as the store shows them. */
    private String stateOf(Claim claim) throws Exception {
        LockState state = Contract.await(store.inspect(claim.resource()).toCompletableFuture());
        return "the store then shows"
                + (claim.type() == ResourceType.SEMAPHORE ? " " + state.permits() + " permits," : "") + " held by "
                + told(state.holders()) + ", waiting " + told(state.waiters());
    }

    private static List<String> told(List<Claimant> claimants) {
        return claimants.stream()
                .map(one ->
                        one.claimId() + " (" + (one.mode() == Mode.PERMITS ? one.permits() + " permits" : one.mode())
                                + ", " + one.timeLeft().toMillis() + " ms left)")
                .toList();
    }

    boolean isGranted(Claim claim) throws Exception {
        return claim(claim) instanceof ClaimResult.Granted;
    }

    Set<String> renew(Claim... claims) throws Exception {
        return Contract.await(store.renew(List.of(claims)).toCompletableFuture())
                .keySet();
    }

    Map<String, ClaimStatus> statuses(Claim... claims) throws Exception {
        return Contract.await(store.renew(List.of(claims)).toCompletableFuture());
    }

    ReleaseResult release(Claim claim) throws Exception {
        return Contract.await(store.release(claim).toCompletableFuture());
    }

    /** Releases what it holds. */
    void frees(Claim claim) throws Exception {
        if (!release(claim).held()) {
            throw new AssertionError("the release of " + told(claim) + " did not find it held: " + stateOf(claim));
        }
    }

    /** Releases what does not hold, or not any more. */
    void freesNothing(Claim claim) throws Exception {
        if (release(claim).held()) {
            throw new AssertionError(
                    "the release of " + told(claim) + ", which did not hold, says that it did: " + stateOf(claim));
        }
    }

    LockState inspectSemaphore(String name) throws Exception {
        return Contract.await(store.inspect(Resource.semaphore(name)).toCompletableFuture());
    }

    /** The ids of the waiters, in order. */
    List<String> queue(ResourceType kind, String name) throws Exception {
        return Contract.await(store.inspect(new Resource(kind, name)).toCompletableFuture()).waiters().stream()
                .map(Claimant::claimId)
                .toList();
    }

    int addPermits(String name, String id, int by, int capacity) throws Exception {
        return Contract.await(Contract.with(store, SemaphoreStore.class)
                .addPermits(name, id, by, capacity)
                .toCompletableFuture());
    }

    LockState inspect(String name) throws Exception {
        return Contract.await(store.inspect(Resource.lock(name)).toCompletableFuture());
    }

    List<LockState> list(String prefix, int limit) throws Exception {
        return Contract.await(store.list(ResourceType.LOCK, prefix, limit).toCompletableFuture());
    }

    boolean forceRelease(String name) throws Exception {
        return forceRelease(name, OptionalLong.empty());
    }

    boolean forceRelease(String name, long token) throws Exception {
        return forceRelease(name, OptionalLong.of(token));
    }

    void raiseTokens(long above) throws Exception {
        Contract.await(store.raiseTokens(above).toCompletableFuture());
    }

    private boolean forceRelease(String name, OptionalLong token) throws Exception {
        return Contract.await(store.forceRelease(Resource.lock(name), token).toCompletableFuture());
    }

    /** The id of the claim that holds the lock. */
    String holder(String name) throws Exception {
        return onlyHolder(name).claimId();
    }

    /** How long the store will keep the lock. */
    Duration timeLeft(String name) throws Exception {
        return onlyHolder(name).timeLeft();
    }

    private Claimant onlyHolder(String name) throws Exception {
        LockState state = inspect(name);
        if (state.holders().size() != 1) {
            throw new AssertionError("expected one holder of " + name + ", not " + told(state.holders()));
        }
        return state.holders().get(0);
    }
}
