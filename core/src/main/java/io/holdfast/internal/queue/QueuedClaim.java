package io.holdfast.internal.queue;

import io.holdfast.LockEvent.Granted;
import io.holdfast.LossReason;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.Acquirer;
import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Decision;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.Holder;
import io.holdfast.internal.store.Futures;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller's own claim to a name, from the request to its end: for a fair lock, a read lock, or permits. The store decides
 * whose turn it is. Where it says with a grant that other claims of this client come next, a fair lock is handed off to these
 * without asking the store, each with a token of its own; their own claims are given up. Everything happens on the strand of
 * the name's {@link LockQueue}.
 */
public final class QueuedClaim implements Acquirer, Holder {

    private final QueueContext engine;
    private final LockQueue queue;
    private final Waiter waiter;
    private final LockRequest request;

    /** The claim by which its owner writes already; then this one passes the queue, which waits for its owner. */
    private final @Nullable String compatibleWith;

    private final ActiveClaim activeClaim;
    private final Acquisition acquisition;
    private boolean granted;
    private boolean over;
    private @Nullable Hold hold;

    /** Whose turn it is after this one, by the store's queue; and how many have had it. */
    private List<ClaimResult.Next> next = List.of();

    private int passed;

    QueuedClaim(QueueContext engine, LockQueue queue, Waiter waiter, @Nullable String compatibleWith) {
        this.engine = engine;
        this.queue = queue;
        this.waiter = waiter;
        this.request = compatibleWith == null ? waiter.request : waiter.request.barging();
        this.compatibleWith = compatibleWith;
        QueuePolicy policy =
                request.policy(!waiter.nonBlocking() && engine.capabilities().canQueue());
        this.activeClaim = new ActiveClaim(
                this, engine.owner(waiter.owner), tokens(policy), request.permits(), waiter.terms, policy);
        this.acquisition = new Acquisition(engine, queue::strand, activeClaim, this);
    }

    private int tokens(QueuePolicy policy) {
        boolean mayHandOn =
                mode() == Mode.EXCLUSIVE && policy.queues() && waiter.terms.watchdog() && !waiter.owner.isCandidate();
        return mayHandOn ? Tuning.FAIR_HAND_OFF_TOKENS : 1;
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    void begin() {
        waiter.armTimeout(() -> strand(this::timedOut));
        acquisition.ask();
    }

    public ActiveClaim activeClaim() {
        return activeClaim;
    }

    @Override
    public @Nullable Hold lastHold() {
        return hold;
    }

    Waiter waiter() {
        return waiter;
    }

    public boolean isAsking() {
        return !over && !granted;
    }

    boolean isFor(String claimId) {
        return acquisition.isFor(claimId);
    }

    /** Its caller has left, or has what it wants by now; completes when the store knows. */
    CompletableFuture<Void> leave() {
        if (!isAsking()) {
            return Futures.KNOWN;
        }
        CompletableFuture<Void> known = acquisition.known();
        acquisition.stop();
        end();
        return known;
    }

    /** The lock may have become free. */
    void changed() {
        if (isAsking()) {
            acquisition.changed();
        }
    }

    private void timedOut() {
        if (isAsking() && waiter.tryExpire(acquisition)) {
            waiter.hadNot(leave());
        }
    }

    @Override
    public Decision busy(ActiveClaim claim, long attempt) {
        waiter.answered = true;
        if (waiter.nonBlocking()) {
            waiter.hadNot(acquisition.known());
            return Decision.STOP;
        }
        waiter.announce();
        return Decision.WAIT;
    }

    @Override
    public boolean isForHandle() {
        return waiter.owner.isHandle();
    }

    @Override
    public boolean isFirst() {
        return queue.queuedClaims().isFirstToAsk(this);
    }

    @Override
    public void refused(Throwable failure) {
        waiter.result.completeExceptionally(failure);
    }

    @Override
    public Decision failing(Throwable failure, long since) {
        if (waiter.giveUpAt(since) - engine.now() > 0) {
            return Decision.WAIT;
        }
        waiter.result.completeExceptionally(engine.notAskedFor(mode().type(), name(), failure));
        return Decision.STOP;
    }

    @Override
    public long nextGiveUp(long since) {
        return waiter.giveUpAt(since);
    }

    @Override
    public void stopped(Decision why) {
        end();
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> granted(ActiveClaim claim, List<ClaimResult.Next> behind) {
        granted = true;
        next = behind;
        waiter.stopTimeout();
        if (!tryHandTo(waiter) && !tryHandOn()) {
            end();
            claim.giveBack(null, new CompletableFuture<>());
        }
        return Futures.KNOWN;
    }

    /** Makes it the holder; false if it has left. */
    private boolean tryHandTo(Waiter to) {
        Hold given = new Hold(activeClaim, to.owner, activeClaim.takeToken(), engine.now());
        hold = given;
        queue.queuedClaims().holds(given);
        if (given.tryGiveTo(to.result)) {
            engine.watchdog().goOn(given);
            engine.events()
                    .granted(
                            given,
                            activeClaim.isFirstGrant() ? Granted.Path.STORE : Granted.Path.HAND_OFF,
                            given.begunAt() - to.askedAt,
                            to.context);
            queue.enterAgain(given);
            return true;
        }
        holdsNoMore(given);
        return false;
    }

    /**
     * Hands the lock to the next local waiter, if it is its turn; false if it is another client's, as far as is known. A waiter
     * that has left is passed over. If the next one may have lost its ticket, or wants something else, the store decides.
     */
    private boolean tryHandOn() {
        while (passed < next.size() && mayHandOn()) {
            ClaimResult.Next behind = next.get(passed++);
            QueuedClaim following = queue.queuedClaims().waitingWith(behind.claimId());
            if (following != null) {
                if (!following.mayFollow(this, behind.ticket())) {
                    passed = next.size();
                    return false;
                }
                following.leave();
                if (tryHandTo(following.waiter)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean mayFollow(QueuedClaim before, long ticket) {
        return !waiter.owner.isCandidate()
                && request.equals(before.request)
                && waiter.terms.equals(before.activeClaim.terms)
                && acquisition.isIn(ticket);
    }

    private boolean mayHandOn() {
        return activeClaim.hasToken()
                && !activeClaim.isShared()
                && activeClaim.isWorthHandingOn(engine.now())
                && !engine.isClosed();
    }

    @Override
    public void release(Hold released, CompletableFuture<Void> done) {
        strand(() -> giveBack(released, done));
    }

    private void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != verifyHold()) {
            given.tellHowItEnded(done);
            return;
        }
        given.released();
        holdsNoMore(given);
        engine.events().released(given, engine.now());
        if (tryHandOn()) {
            done.complete(null);
            return;
        }
        engine.watchdog().stop(activeClaim);
        end();
        activeClaim.giveBack(given, done);
    }

    @Override
    public @Nullable Hold verifyHold(long now) {
        Hold current = hold;
        if (current != null && !current.isValid(now)) {
            lose(current, LossReason.EXPIRED, current.whyItEnded());
            return null;
        }
        return current;
    }

    @Override
    public void lose(Hold held, LossReason reason, String text) {
        engine.lost().remember(held);
        holdsNoMore(held);
        end();
        engine.watchdog().lost(held, reason, text);
    }

    private void holdsNoMore(Hold held) {
        queue.queuedClaims().holdsNoMore(held);
        hold = null;
    }

    // ---- the rest ---------------------------------------------------------------------------------------------

    @Override
    public QueueContext engine() {
        return engine;
    }

    @Override
    public String name() {
        return waiter.name;
    }

    @Override
    public Mode mode() {
        return request.mode();
    }

    @Override
    public Claim claim(ActiveClaim claimed, Duration lease) {
        return new Claim(
                name(),
                claimed.id(),
                mode(),
                lease,
                claimed.storedHolds(),
                claimed.owner,
                claimed.policy,
                claimed.permits(),
                new ClaimOptions(
                        claimed.tokens,
                        request.capacity(),
                        compatibleWith,
                        false,
                        0,
                        claimed.policy.queues() && mode() == Mode.EXCLUSIVE && engine.grantsOnRelease()));
    }

    @Override
    public void strand(Runnable step) {
        queue.strand(step);
    }

    /** The client is closing. */
    void close() {
        Hold current = hold;
        if (current != null && current.isLeftToLease()) {
            leaveToLease(current);
        } else if (current != null && current.outlivesClient()) {
            if (verifyHold() != null) {
                holdsNoMore(current);
                end();
                engine.watchdog().leaveToExpire(current);
            }
        } else if (current != null) {
            lose(current, LossReason.CLOSED, engine.whyClosed());
        } else {
            waiter.result.completeExceptionally(engine.closedException());
            leave();
        }
    }

    /** It is not given back: what its owner does may not have ended yet. */
    private void leaveToLease(Hold held) {
        holdsNoMore(held);
        end();
        engine.watchdog().left(held, LossReason.CLOSED, engine.whyClosed());
    }

    private void end() {
        over = true;
        waiter.stopTimeout();
        queue.left(this);
    }
}
