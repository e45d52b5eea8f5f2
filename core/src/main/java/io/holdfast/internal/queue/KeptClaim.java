package io.holdfast.internal.queue;

import io.holdfast.LocalHold;
import io.holdfast.LocalOwner;
import io.holdfast.LockEvent.Granted;
import io.holdfast.internal.Limits;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A claim that its client keeps while no thread holds it, so that the next local holder gets it without a round trip. Made
 * when the claim is first kept; a lock that is held and was never kept has none. Changed on the queue's strand.
 *
 * <p>A claim is kept for one of three reasons:
 *
 * <ul>
 *   <li>It is <b>offered</b>. Waking a thread takes longer than a brief hold, so while the next waiter wakes up the lock is
 *       free for any thread of this client: the barging window. It ends when that waiter is awake.
 *   <li>It <b>lingers</b>, where the options say so and no local waiter is left: for the linger time, until another client
 *       asks for it, or until it has lingered for long enough in all.
 *   <li>It <b>awaits the next holder</b>: the lock has just passed between local threads, and one of them may be back sooner
 *       than the store would have answered. The last unlock returns when that is decided.
 * </ul>
 */
public final class KeptClaim extends Timed {

    private final PlainQueue queue;
    public final ActiveClaim claim;

    /** True while no thread holds the claim; also read by threads that are about to take it. */
    private volatile boolean free;

    private boolean offered;

    /** Until when it lingers this time. */
    private long until;

    /** When it has to be given back, however often it is taken up; set when it first lingers. */
    private long runEnd;

    private boolean hasLingered;

    /** True if the timer is armed for {@link #until}, or for an earlier time. */
    private boolean armed;

    private @Nullable Hold leaver;
    private @Nullable CompletableFuture<Void> left;

    KeptClaim(PlainQueue queue, ActiveClaim claim) {
        this.queue = queue;
        this.claim = claim;
    }

    public boolean isFree() {
        return free;
    }

    boolean isOffered() {
        return free && offered;
    }

    public boolean isLingering() {
        return free && !offered;
    }

    /** By the client's clock, until when it lingers this time. */
    public long until() {
        return until;
    }

    /** What a snapshot shows of it while it is free. */
    LocalHold toLocal(Look look) {
        return new LocalHold(
                queue.name,
                claim.mode(),
                claim.permits(),
                new LocalOwner(LocalOwner.Kind.KEPT, 0, null),
                0,
                0,
                look.when(claim.grantedAt()),
                Duration.ofNanos(Math.max(0, claim.deadline(look.now()) - look.now())),
                false);
    }

    // ---- keeping it -------------------------------------------------------------------------------------------

    /** The next waiter was woken; until it is awake, the claim is free for any local caller. */
    void offer(Hold last, long now) {
        queue.ended(last, now);
        offered = true;
        free = true;
        queue.keep();
    }

    /** Keeps the claim for the linger time of its terms; false if it has lingered for long enough. */
    boolean tryLinger(Hold last, long now) {
        long linger = Limits.saturatedNanos(claim.terms.linger());
        if (!hasLingered) {
            hasLingered = true;
            runEnd = now
                    + (claim.mayLingerForLong()
                            ? Math.max(linger, Tuning.LINGER_RUN_NANOS)
                            : Tuning.UNCERTAIN_LINGER_RUN_NANOS);
        }
        if (now - runEnd >= 0) {
            return false;
        }
        queue.ended(last, now);
        keepUntil(runEnd - now < linger ? runEnd : now + linger);
        return true;
    }

    /** Keeps the claim for a local holder that may be about to come back; {@code done} completes when that is decided. */
    void awaitNext(Hold last, CompletableFuture<Void> done, long now) {
        leaver = last;
        left = done;
        armed = false;
        keepUntil(now + Tuning.NEXT_HOLDER_NANOS);
    }

    /** A lock that is taken up again and again touches no timer: an earlier one is armed. */
    private void keepUntil(long time) {
        until = time;
        offered = false;
        free = true;
        queue.keep();
        if (!armed) {
            giveBackOrArm();
        }
    }

    /** How it comes to the next local holder, for the listeners. */
    Granted.Path path() {
        return offered || left != null ? Granted.Path.HAND_OFF : Granted.Path.LINGER;
    }

    // ---- taking it --------------------------------------------------------------------------------------------

    /**
     * Makes the owner the holder of the claim; {@code null} if the claim does not suit it.
     *
     * @param entered whether the owner has it at once, rather than when it is told
     */
    @Nullable
    Hold tryTake(LockOwner owner, LeaseTerms terms, boolean entered) {
        long now = queue.engine.now();
        if (!free || !claim.hasToken() || !claim.terms.equals(terms) || now - latestTake(claim, now) >= 0) {
            return null;
        }
        long token = claim.takeToken();
        Hold given = entered ? Hold.entered(claim, owner, token, now) : new Hold(claim, owner, token, now);
        free = false;
        queue.holdKept(given);
        if (left != null) {
            left.complete(null);
        }
        leaver = null;
        left = null;
        return given;
    }

    /**
     * Gives the claim to a plain waiter that has just come: mostly it has the lock before the one that is waking up. False if
     * the waiter has to queue; a lingering claim that does not suit it goes back to the store.
     */
    boolean tryServe(Waiter waiter) {
        Granted.Path path = path();
        Hold given = tryTake(waiter.owner, waiter.terms, false);
        if (given == null) {
            if (offered) {
                return waiter.nonBlocking() && waiter.result.complete(null);
            }
            giveBack();
            return false;
        }
        if (given.tryGiveTo(waiter.result)) {
            queue.taken(given, path, waiter.askedAt, waiter.context);
            queue.enterAgain(given);
            return true;
        }
        free = true;
        queue.keep();
        if (offered) {
            offerOn();
        } else {
            giveBackOrArm();
        }
        return true;
    }

    // ---- ending it --------------------------------------------------------------------------------------------

    /** The waiter that was called may have left: the next one is called. */
    void offerOn() {
        if (isOffered() && !queue.waiters.tryWakeNext(claim)) {
            endOffer();
        }
    }

    /** The next waiter gets the claim, or the store. */
    void endOffer() {
        if (isOffered()) {
            free = false;
            if (!(queue.engine.handOffs().mayHandOff(claim, queue.engine.now()) && queue.tryHandTo(claim))) {
                queue.giveBackClaim(claim, null, new CompletableFuture<>());
            }
        }
    }

    /** Gives the claim back to the store, if it is free. */
    void giveBack() {
        if (free) {
            free = false;
            disarm();
            CompletableFuture<Void> done = left == null ? new CompletableFuture<>() : left;
            queue.giveBackClaim(claim, leaver, done);
        }
    }

    @Override
    public void due() {
        queue.strand(this::ranOut);
    }

    private void ranOut() {
        armed = false; // also while a holder has it: the next one to leave arms it again
        if (isLingering()) {
            giveBackOrArm();
        }
    }

    private void giveBackOrArm() {
        long now = queue.engine.now();
        long latest = latestTake(claim, now);
        if (now - until >= 0 || now - latest >= 0) {
            giveBack();
        } else {
            armed = true;
            queue.engine.timers().arm(this, latest - until < 0 ? latest : until);
        }
    }

    void disarm() {
        if (armed) {
            armed = false;
            queue.engine.timers().cancel(this);
        }
    }

    /** Nothing renews a claim that lingers; the next holder needs time to do that. */
    static long latestTake(ActiveClaim kept, long now) {
        return kept.deadline(now) - kept.setForNanos() / 2;
    }
}
