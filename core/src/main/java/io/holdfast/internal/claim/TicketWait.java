package io.holdfast.internal.claim;

import io.holdfast.internal.Tuning;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A queued claim's wait for its turn in the store's queue. The claim's place lasts for a while and is renewed with whatever
 * else this client has at the store; the answer says whether the turn has come, in case the notification was lost. Belongs to
 * one {@link Acquisition}, which acts on what this says; everything happens on its strand.
 *
 * <p>Some stores grant with the notification. That grant lasts as long as the place would have, so it is counted from the
 * command that last kept the place; and it is believed only if it was for that very place, since notifications may be late.
 */
final class TicketWait {

    private final ClaimContext engine;
    private final Executor strand;
    private final Acquisition acquisition;
    private final Claim asked;
    private final Ticket ticket = new Ticket();

    /** A grant by a call that came before the answer that says which place the claim has. */
    private @Nullable Early early;

    private record Early(long ticket, ClaimResult.Granted grant) {}

    /** True while the store has not said how the claim stands. */
    private boolean looking;

    /** When the claim is to be sent again, whether or not anything has happened. */
    private long resendAt;

    /** True if it is enough that one of this client's waiters for the name sends its claim again. */
    private boolean oneResendsForAll;

    private int resends;

    TicketWait(ClaimContext engine, Executor strand, Acquisition acquisition, Claim asked) {
        this.engine = engine;
        this.strand = strand;
        this.acquisition = acquisition;
        this.asked = asked;
    }

    // ---- the place --------------------------------------------------------------------------------------------

    /** A claim command is sent: it may bring another place. */
    void sent() {
        looking = false;
        ticket.unknown();
        early = null;
        engine.notifications().waits(asked.id(), acquisition);
    }

    /** The claim has the place of this number, by a command that was sent then; 0 if another attempt may bring another. */
    void taken(long number, long sentAt) {
        ticket.taken(number, sentAt);
    }

    /** True if the claim is sure to have that place still, so that no later claim is before it. */
    boolean isIn(long number) {
        return ticket.is(number, engine.now());
    }

    /** When the command was sent that last kept the place. */
    long keptAt() {
        return ticket.keptAt();
    }

    /** Remembers a grant by a call until the answer says which place the claim has. */
    void grantedEarly(long number, ClaimResult.Granted grant) {
        early = new Early(number, grant);
    }

    void forgetEarly() {
        early = null;
    }

    /** Believes the early grant now, if it was for the place that the claim has; false if there is none such. */
    boolean tryEarlyGrant() {
        Early grant = early;
        if (grant == null || !isIn(grant.ticket)) {
            return false;
        }
        acquisition.waitUntil(engine.now());
        acquisition.grantedOnRelease(grant.ticket, grant.grant);
        return true;
    }

    /** The claim does not wait any more. */
    void over() {
        engine.notifications().over(asked.id());
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    /** Something has changed: the claim is sent again as soon as at first. */
    void changed() {
        resends = 0;
    }

    /** There is another holder, for that long at least as far as the store knows. */
    void busy(Duration retryAfter) {
        boolean soon = retryAfter.compareTo(Claim.TICKET) < 0; // otherwise a look will find out
        long rarely = Tuning.RESEND_NANOS << Math.min(resends++, Tuning.RESEND_DOUBLINGS);
        resendAt = engine.now() + (soon ? Math.max(Tuning.LEAST_RECHECK_NANOS, retryAfter.toNanos()) : rarely);
        oneResendsForAll = !soon;
    }

    /** When to act next, if the store is to be looked at then. */
    long wakeAt(long lookAt) {
        return oneResendsForAll || lookAt - resendAt < 0 ? lookAt : resendAt;
    }

    /** True if the store is to be asked how the claim stands, rather than sent the claim again. */
    boolean isTimeToLook(boolean first) {
        boolean timeToResend = engine.now() - resendAt >= 0 && (!oneResendsForAll || first);
        return !looking && !timeToResend;
    }

    /** Keeps the place, and asks whether the turn has come. */
    void look(long attempt, long patience) {
        looking = true;
        engine.renewals().renew(new Look(attempt, patience));
    }

    private final class Look implements Renewable {

        private final long attempt;
        private final long patience;

        Look(long attempt, long patience) {
            this.attempt = attempt;
            this.patience = patience;
        }

        @Override
        public Claim toRenew() {
            return asked;
        }

        @Override
        public long answerBy(long now) {
            return now + patience;
        }

        @Override
        public void renewed(Claim claimed, long sent, @Nullable ClaimStatus status, @Nullable Throwable failure) {
            strand.execute(() -> {
                kept(status, sent, failure);
                acquisition.looked(attempt, status);
            });
        }

        @Override
        public void unanswered() {} // there is a timer for that
    }

    private void kept(@Nullable ClaimStatus status, long sent, @Nullable Throwable failure) {
        if (status == ClaimStatus.WAITING || status == ClaimStatus.TURN_REACHED) {
            ticket.kept(sent);
        } else if (failure == null) {
            ticket.unknown();
        }
    }

    /** The store has said how the claim stands, or could not be asked. */
    Decision looked(@Nullable ClaimStatus status) {
        looking = false;
        return status == ClaimStatus.WAITING
                ? Decision.WAIT
                : Decision.RETRY; // it is called, or has lost its place, or its standing is not known
    }
}
