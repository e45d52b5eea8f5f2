package io.holdfast.internal.queue;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Hold;

/**
 * How far a plain lock passes between the waiters of this client before it goes back to the store: the bounds, the tokens that
 * a claim reserves for it, and what counts as a brief hold. Shared by all names of a client; it knows no queue.
 */
public final class HandOffPolicy {

    private final TokenReservation reservation = new TokenReservation();

    /**
     * How many tokens a claim asks for. A lone waiter needs one. The grant also brings tokens for waiters behind it, and for
     * waiters that may arrive before the grant.
     *
     * @param waiting how many wait here, the head among them
     * @param queues whether the claim takes a place in the store's queue; then it won't linger
     */
    int tokens(Waiter head, int waiting, boolean queues) {
        if (head.terms.lingers() && !queues) {
            return reservation.size();
        }
        if (head.terms.watchdog() && waiting > 1) {
            return Tuning.HAND_OFF_TOKENS;
        }
        return queues ? Tuning.LATE_WAITER_TOKENS : 1;
    }

    /** The claim goes back to the store; how many of its tokens were used sizes the next reservation. */
    void released(ActiveClaim claim) {
        if (claim.terms.lingers()) {
            reservation.ended(claim);
        }
    }

    /** True if the claim may go to the next local waiter rather than back to the store. */
    boolean mayHandOff(ActiveClaim held, long now) {
        return held.isWorthHandingOn(now) && !held.isShared() && now - held.grantedAt() < Tuning.HAND_OFF_NANOS;
    }

    /** True if the hold was over before another thread could have been woken. */
    private boolean isBrief(Hold hold, long now) {
        return now - hold.begunAt() < Tuning.BRIEF_HOLD_NANOS;
    }

    /** True if the lock may be free for any local caller while the next waiter wakes up. */
    boolean mayOffer(Hold last, long now) {
        return isBrief(last, now) && mayHandOff(last.activeClaim, now);
    }

    /** True if the last unlock may wait for a local holder to come back: the lock has just passed between threads here. */
    boolean mayAwaitNext(Hold last, long now) {
        return isBrief(last, now) && last.activeClaim.mayBeWaitedWith();
    }
}
