package io.holdfast.internal.claim;

import io.holdfast.HoldfastException;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Limits;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Gets one claim: sends it to the store until it is granted or no waiter needs it any more.
 *
 * <p><b>How it works.</b> A command is sent and its answer comes back as a new step on the strand, by which time anything
 * may have happened. All attempts are of the same claim, so it does not matter which of them the store ran, how often,
 * or which is answered; what is granted when no waiter needs it any more is released. One timer bounds every phase.
 *
 * <p>A claim that takes a ticket in the store's queue has a {@link TicketWait}. The {@link Acquirer} decides what becomes of a
 * claim that is not granted; this class acts on the {@link Decision}, and does nothing more once it has reported that it stopped.
 *
 * <pre>
 *   IDLE ──ask──▶ ASKING ──granted──▶ IDLE
 *                 ▲ ▲ │
 *    change, timer│ │ ├──busy────▶ WAITING
 *                 └─┼─────────────────┘
 *              timer│ └──no answer──▶ PAUSED
 *                   └─────────────────┘
 * </pre>
 */
public final class Acquisition {

    /** Attempts are numbered so that those of a later claim of this client have greater numbers. */
    private static final int ATTEMPT_BITS = 24;

    private enum Phase {
        /** No command is out. */
        IDLE,
        /** A command is out; its answer is awaited until the timer is due. */
        ASKING,
        /** Other claims come first; the claim is sent again when its turn is called, on a change, or when the timer is due. */
        WAITING,
        /** The store did not answer; the claim is sent again when the timer is due. */
        PAUSED
    }

    private final ClaimContext engine;
    private final Executor strand;
    private final ActiveClaim claim;

    /** The claim as it is sent. */
    private final Claim asked;

    private final Acquirer acquirer;
    private final Timer timer;

    private Phase phase = Phase.IDLE;
    private long timerAt;
    private long attempt;
    private long sentAt;
    private boolean changedMeanwhile;
    private int failures;
    private long failingSince;

    /** True if the store may have granted the claim, or has a ticket for it. */
    private boolean uncertain;

    /** The claim's wait in the store's queue, if it takes a ticket there. */
    private final @Nullable TicketWait ticketWait;

    /** True if the holder may leave without a notification to the queued claims. */
    private boolean watchToo;

    private boolean stopped;

    /** Made when a caller that has left waits for it. */
    private @Nullable CompletableFuture<Void> known;

    /** How many attempts the store has not answered. */
    private int out;

    /** Completes when the store can no longer grant the claim; set when no waiter needs it any more. */
    private @Nullable CompletableFuture<Void> inFlight;

    public Acquisition(ClaimContext engine, Executor strand, ActiveClaim claim, Acquirer acquirer) {
        this.engine = engine;
        this.strand = strand;
        this.claim = claim;
        this.asked = claim.claim();
        this.acquirer = acquirer;
        this.attempt = claim.number() << ATTEMPT_BITS;
        this.timer = new Timer(() -> strand.execute(this::timerDue));
        this.ticketWait = asked.policy().queues() ? new TicketWait(engine, strand, this, asked) : null;
    }

    /** What it asks for. */
    public ActiveClaim claim() {
        return claim;
    }

    /** The number that the next attempt will have. */
    public long nextAttempt() {
        return attempt + 1;
    }

    public boolean isFor(String claimId) {
        return asked.id().equals(claimId);
    }

    /** True if it is sure to have that ticket still, so that no later claim is before it. */
    public boolean isIn(long number) {
        return ticketWait != null && ticketWait.isIn(number);
    }

    public boolean isUnderWay() {
        return phase == Phase.ASKING;
    }

    /** Whether the store is failing, or has left this attempt without an answer for so long that it may be. */
    public boolean isUnanswered() {
        return failures > 0 || (phase == Phase.ASKING && engine.now() - unansweredFrom() >= 0);
    }

    /** When this attempt will have been left without an answer for that long. */
    public long unansweredFrom() {
        return sentAt + Tuning.UNANSWERED_NANOS;
    }

    /** Sends the claim. */
    public void ask() {
        long n = ++attempt;
        long now = engine.now();
        sentAt = now;
        changedMeanwhile = false;
        out++;
        enter(Phase.ASKING, now + patience());
        if (ticketWait != null) {
            ticketWait.sent();
        }
        engine.call(
                Command.CLAIM,
                asked.name(),
                1,
                () -> engine.store().claim(asked),
                (outcome, failure) -> strand.execute(() -> answered(n, now, outcome, failure)));
    }

    /** Sends the claim now rather than later, if it only waits. */
    public void hurry() {
        if (phase == Phase.WAITING) {
            ask();
        }
    }

    /** From anywhere: the claim's turn may have come. */
    void turnReached() {
        strand.execute(this::changed);
    }

    /** From anywhere: the claim was granted on release while it had that ticket. */
    void granted(long number, ClaimResult.Granted grant) {
        strand.execute(() -> grantedOnRelease(number, grant));
    }

    void grantedOnRelease(long number, ClaimResult.Granted grant) {
        if (ticketWait == null || stopped || phase == Phase.IDLE) {
            return;
        }
        long now = engine.now();
        Duration lease = claim.leaseOnRelease();
        // It has to be renewed in what is left of it. Where that is little, for a claim that is not renewed, and for a
        // caller
        // that is handed its lease and may look how long it is, asking gives it a lease of its own.
        boolean handed = acquirer.isForHandle();
        boolean lasts =
                claim.terms.watchdog() && LeaseTerms.deadline(ticketWait.keptAt(), lease) - now > lease.toNanos() / 3;
        boolean believed = lasts && !handed && ticketWait.isIn(number);
        if (believed || handed) {
            claim.maybeAskedForByOthers(); // the claim behind it has asked the one before
        }
        if (believed) {
            enter(Phase.IDLE);
            held(ticketWait.keptAt(), lease, grant);
            return;
        }
        changed(); // the store says whether it is so
        if (phase == Phase.ASKING) {
            ticketWait.grantedEarly(number, grant);
        } else {
            ticketWait.forgetEarly();
        }
    }

    /** Waits for a change, or that time. */
    void waitUntil(long time) {
        enter(Phase.WAITING, time);
    }

    /** The lock may have become free; or, if it was granted just now, another client asks for it already. */
    public void changed() {
        if (phase == Phase.IDLE && !stopped) {
            claim.maybeAskedForByOthers();
        }
        changedMeanwhile = true;
        if (ticketWait != null) {
            ticketWait.changed();
        }
        hurry();
    }

    /** No caller wants the claim any more. What the store has granted, or may grant, is given back. */
    public void stop() {
        if (!stopped) {
            stopped = true;
            uncertain |= phase == Phase.ASKING;
            enter(Phase.IDLE);
            waitsNoMore();
            knownWith(uncertain ? claim.end() : Futures.KNOWN);
            awaitInFlight();
        }
    }

    /** Completes when the store knows that no caller wants the claim any more, or there is one that does. */
    public CompletableFuture<Void> known() {
        if (!uncertain && phase != Phase.ASKING) {
            return Futures.KNOWN; // there is nothing to give back
        }
        CompletableFuture<Void> awaited = known;
        if (awaited == null) {
            awaited = new CompletableFuture<>();
            known = awaited;
        }
        return awaited;
    }

    /** That is what {@link #known} waits for. */
    void knownWith(CompletableFuture<?> release) {
        CompletableFuture<Void> awaited = known;
        if (awaited != null) {
            known = null;
            release.whenComplete((released, failure) -> awaited.complete(null));
        }
    }

    /** Attempts that are not answered may still be granted, whatever is given back meanwhile. */
    private void awaitInFlight() {
        if (out > 0 && inFlight == null) {
            inFlight = engine.inFlight().add();
            enter(Phase.IDLE, engine.now() + engine.replyTimeoutNanos());
        }
    }

    private void stopAwaitingInFlight() {
        CompletableFuture<Void> done = inFlight;
        if (done != null) {
            inFlight = null;
            engine.timers().cancel(timer);
            done.complete(null);
        }
    }

    private void answered(long n, long sent, @Nullable ClaimResult outcome, @Nullable Throwable failure) {
        out--;
        if (failure == null || (failure instanceof HoldfastException refusal && !refusal.retryable())) {
            engine.health().answered(asked.name());
        } else {
            engine.health().failed(asked.name(), failure);
        }
        if (stopped || claim.isOver()) {
            if (outcome instanceof ClaimResult.Granted || (outcome != null && ticketWait != null)) {
                giveBackLate();
            }
        } else {
            heard(n, sent, outcome, failure);
        }
        if (out == 0) {
            stopAwaitingInFlight();
        }
    }

    private void heard(long n, long sent, @Nullable ClaimResult outcome, @Nullable Throwable failure) {
        // All attempts are of one claim, so the answer to an earlier one is as good, if its lease is counted from
        // there.
        if (outcome instanceof ClaimResult.Granted granted && phase != Phase.IDLE) {
            enter(Phase.IDLE);
            held(sent, claim.terms.lease(), granted);
        } else if (outcome instanceof ClaimResult.Busy waiting && (phase == Phase.ASKING || phase == Phase.PAUSED)) {
            enter(Phase.IDLE);
            failures = 0;
            busy(n, sent, waiting);
        } else if (outcome == null && n == attempt && phase == Phase.ASKING) {
            enter(Phase.IDLE);
            failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
        }
    }

    private void held(long sent, Duration lease, ClaimResult.Granted granted) {
        long now = engine.now();
        claim.granted(granted.token(), sent, lease, now);
        if (uncertain || out > 0) {
            // The claims behind it have sent their revocation requests to the holder before, or to this one, unheard.
            claim.lingersBriefly();
        }
        if (claim.isLive(now)) {
            failures = 0;
            waitsNoMore();
            awaitInFlight();
            knownWith(acquirer.granted(claim, granted.next()));
        } else {
            failed(new StoreUnavailableException(claim.label() + " was granted, but the answer of "
                    + engine.store().description() + " took longer than its lease"));
        }
    }

    private void busy(long answered, long sent, ClaimResult.Busy waiting) {
        if (ticketWait != null) {
            uncertain = true;
            // Another attempt that is out may have taken another place since.
            ticketWait.taken(out == 0 ? waiting.ticket() : 0, sent);
        }
        Decision decision = acquirer.busy(claim, answered);
        if (decision == Decision.WAIT || decision == Decision.RETRY) {
            knownWith(Futures.KNOWN);
            watchToo = waiting.watch();
            waitOrRetry(decision, waiting.retryAfter());
            watch();
        } else {
            stop(decision);
        }
    }

    private void waitOrRetry(Decision decision, Duration retryAfter) {
        if (ticketWait != null && ticketWait.tryEarlyGrant()) {
            return;
        }
        if (decision == Decision.RETRY || changedMeanwhile) {
            ask();
        } else if (ticketWait != null) {
            ticketWait.busy(retryAfter);
            waitUntil(ticketWait.wakeAt(engine.renewals().nextLook()));
        } else { // the store has no queue
            long timeLeft = Math.max(Tuning.LEAST_RECHECK_NANOS, Limits.saturatedNanos(retryAfter));
            waitUntil(engine.now() + Math.min(Tuning.RECHECK_NANOS, timeLeft));
        }
    }

    private void stop(Decision why) {
        stop();
        acquirer.stopped(why);
    }

    private void watch() {
        if (phase == Phase.WAITING && (ticketWait == null || watchToo)) {
            engine.watches().use(asked.resource());
        }
    }

    /** How long an attempt is waited for. A ticket lasts for a few attempts, so that one lost command does not lose it. */
    private long patience() {
        long reply = engine.replyTimeoutNanos();
        return ticketWait == null ? reply : Math.min(Tuning.RECHECK_NANOS, reply);
    }

    private void look(TicketWait waiting) {
        waiting.look(attempt, patience());
        waitUntil(waiting.wakeAt(engine.now() + patience()));
    }

    /** The store was asked during that attempt how the claim stands. */
    void looked(long n, @Nullable ClaimStatus status) {
        if (ticketWait == null || stopped || phase != Phase.WAITING || n != attempt) {
            return;
        }
        Decision decision = ticketWait.looked(status);
        if (status == ClaimStatus.HELD) {
            claim.maybeAskedForByOthers(); // it was granted by a call, unheard
        }
        if (decision == Decision.WAIT) {
            waitUntil(ticketWait.wakeAt(engine.renewals().nextLook()));
            watch();
        } else {
            ask();
        }
    }

    private void waitsNoMore() {
        if (ticketWait != null) {
            ticketWait.over();
        }
    }

    private void failed(Throwable failure) {
        uncertain |= !(failure instanceof StoreRefusedException);
        if (!(failure instanceof HoldfastException known && known.retryable())) {
            acquirer.refused(failure);
            stop(Decision.STOP);
            return;
        }
        if (failures++ == 0) {
            failingSince = sentAt;
        }
        if (acquirer.failing(failure, failingSince) == Decision.STOP) {
            stop(Decision.STOP);
            return;
        }
        long latest = acquirer.nextGiveUp(failingSince);
        long retry = engine.now() + engine.backoffNanos(failures);
        enter(Phase.PAUSED, retry - latest < 0 ? retry : latest);
    }

    private void timerDue() {
        if (engine.now() - timerAt < 0) {
            return; // it was for an earlier phase and has been moved since
        }
        if (inFlight != null) {
            engine.health().failed(asked.name(), engine.noAnswer(claim.label(), engine.now() - sentAt));
            stopAwaitingInFlight();
        } else if (phase == Phase.ASKING) {
            attempt++;
            enter(Phase.IDLE);
            StoreUnavailableException unanswered = engine.noAnswer(claim.label(), engine.now() - sentAt);
            engine.health().failed(asked.name(), unanswered);
            failed(unanswered);
        } else if (phase == Phase.WAITING && ticketWait != null && ticketWait.isTimeToLook(acquirer.isFirst())) {
            look(ticketWait);
        } else if (phase != Phase.IDLE) {
            ask();
        }
    }

    /** The answer comes after the end of the claim: what it granted must not stay. */
    private void giveBackLate() {
        claim.end();
    }

    private void enter(Phase next) {
        phase = next;
        engine.timers().cancel(timer);
    }

    private void enter(Phase next, long until) {
        phase = next;
        timerAt = until;
        engine.timers().arm(timer, until);
    }
}
