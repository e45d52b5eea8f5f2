package io.holdfast.internal;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for one claim until it is granted or nobody wants it any more.
 *
 * <p><b>How it works.</b> A command is sent and its answer comes back as a new step on the strand, by which time anything
 * may have happened. All attempts are of the same claim, so it does not matter which of them the store ran, how often,
 * or which is answered; what is granted when nobody wants it any more is given back. One timer bounds every phase.
 *
 * <p>A claim that takes a place in the store's queue is called when its turn has come. While it waits it is renewed with
 * whatever else this client has at the store, which keeps its place, and says whether it was called if that went unheard.
 * Some stores grant with the call. That grant lasts as long as the place would have, so it is counted from the command that
 * last kept the place; and it is believed only if it was for that very place, since calls may be late.
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
final class Asking {

    /** A wake-up is a hint: whoever waits looks again after this long whatever happens. */
    private static final long RECHECK_NANOS = 1_000_000_000;

    /** An attempt that has been out for this long is the store's fault, not another holder's. */
    static final long UNANSWERED_NANOS = 100_000_000;

    /**
     * After so long a claim that has a place is sent again, and then ever more rarely: who keeps the lock without needing it
     * is told by that that others do, and may not have heard it the first time.
     */
    private static final long ASK_AGAIN_NANOS = 2_000_000_000;

    private static final int ASK_AGAIN_DOUBLINGS = 10;

    /** Attempts are numbered so that those of a later claim of this client have greater numbers. */
    private static final int ATTEMPT_BITS = 24;

    /** Who wants the claim. Called on the strand, when no command is under way. */
    interface Asker {

        /**
         * The claim is held.
         *
         * @param next the claims of this client that come right behind it at the store
         */
        void granted(RemoteClaim claim, List<Outcome.Next> next);

        /**
         * Somebody else has it, as of this attempt.
         *
         * @return whether to ask again at once
         */
        boolean busy(RemoteClaim claim, long attempt);

        /** Whether those who don't know of the queue may free the lock: then its name is watched as well. */
        default boolean watches() {
            return false;
        }

        /** Whether the next to get it is handed its lease. */
        boolean isForHandle();

        /** Whether it is the first of this client's to wait for the name with a claim of his own. */
        default boolean isFirst() {
            return true;
        }

        /** The store said no, and will go on saying so. Nothing is asked any more. */
        void refused(Throwable failure);

        /**
         * The store can't be asked, since then; it will be tried again.
         *
         * @return the latest time for the next try
         */
        long failing(Throwable failure, long since);
    }

    private enum Phase {
        /** Nothing is asked. */
        IDLE,
        /** A command is out; its answer is awaited until the timer. */
        ASKING,
        /** Somebody else has the lock; look again on a change, or at the timer. */
        WAITING,
        /** The store did not answer; try again at the timer. */
        PAUSED
    }

    private final Engine engine;
    private final Executor strand;
    private final RemoteClaim claim;

    /** How the store is told of it. */
    private final Claim asked;

    private final Asker asker;
    private final Timer timer;

    private Phase phase = Phase.IDLE;
    private long timerAt;
    private long attempt;
    private long sentAt;
    private boolean changedMeanwhile;
    private int failures;
    private long failingSince;

    /** The store may have granted the claim without our knowing, or has a place for it. */
    private boolean uncertain;

    /** When asking again may help without anybody's doing, for a claim that has a place. */
    private long askAt;

    /** Whether one of this client's who wait for the name is enough for that. */
    private boolean oneAsksForAll;

    private int asksInVain;

    private final Place place = new Place();

    /** A grant by a call that came before the answer that says which place the claim has. */
    private @Nullable Early early;

    private record Early(long place, Outcome.Granted grant) {}

    /** Whether the store was asked how the claim stands, and has not said. */
    private boolean looking;

    private boolean stopped;

    /** Made when a caller that has left waits for it. */
    private @Nullable CompletableFuture<Void> known;

    /** How many attempts the store has not answered. */
    private int out;

    /** Set while nobody asks for the claim any more and the store may still grant it. */
    private @Nullable CompletableFuture<Void> straggling;

    Asking(Engine engine, Executor strand, RemoteClaim claim, Asker asker) {
        this.engine = engine;
        this.strand = strand;
        this.claim = claim;
        this.asked = claim.claim();
        this.asker = asker;
        this.attempt = claim.number() << ATTEMPT_BITS;
        this.timer = new Timer(() -> strand.execute(this::timerDue));
    }

    /** What it asks for. */
    RemoteClaim claim() {
        return claim;
    }

    /** The number that the next attempt will have. */
    long nextAttempt() {
        return attempt + 1;
    }

    boolean isFor(String claimId) {
        return asked.id().equals(claimId);
    }

    /** Whether it is sure to have that place still, so that nobody who came later is before it. */
    boolean isIn(long number) {
        return place.is(number, engine.now());
    }

    boolean isUnderWay() {
        return phase == Phase.ASKING;
    }

    /** Whether the store is failing, or has left this attempt without an answer for so long that it may be. */
    boolean isUnanswered() {
        return failures > 0 || (phase == Phase.ASKING && engine.now() - unansweredFrom() >= 0);
    }

    /** When this attempt will have been left without an answer for that long. */
    long unansweredFrom() {
        return sentAt + UNANSWERED_NANOS;
    }

    /** Sends the claim. */
    void ask() {
        long n = ++attempt;
        long now = engine.now();
        sentAt = now;
        changedMeanwhile = false;
        looking = false;
        out++;
        place.unknown();
        early = null;
        enter(Phase.ASKING, now + patience());
        if (queues()) {
            engine.calls().waits(asked.id(), this);
        }
        engine.call(
                () -> engine.store().claim(asked),
                (outcome, failure) -> strand.execute(() -> answered(n, now, outcome, failure)));
    }

    /** Asks now rather than later, unless it has reason to wait. */
    void hurry() {
        if (phase == Phase.WAITING) {
            ask();
        }
    }

    /** From anywhere: the claim's turn may have come. */
    void called() {
        strand.execute(this::changed);
    }

    /** From anywhere: the claim was granted while it had that place. */
    void granted(long number, Outcome.Granted grant) {
        strand.execute(() -> grantedByCall(number, grant));
    }

    private void grantedByCall(long number, Outcome.Granted grant) {
        if (stopped || phase == Phase.IDLE) {
            return;
        }
        long now = engine.now();
        Duration lease = claim.leaseByCall();
        // It has to be renewed in what is left of it. Where that is little, for what is not renewed, and for those who
        // are handed their lease and may look how long it is, asking gives it a lease of its own.
        boolean handed = asker.isForHandle();
        boolean lasts = claim.terms.watchdog() && Terms.deadline(place.keptAt(), lease) - now > lease.toNanos() / 3;
        boolean believed = lasts && !handed && place.is(number, now);
        if (believed || handed) {
            claim.maybeAskedForByOthers(); // who waits behind it has asked the one before
        }
        if (believed) {
            enter(Phase.IDLE);
            held(place.keptAt(), lease, grant);
        } else {
            changed(); // the store says whether it is so
            early = phase == Phase.ASKING ? new Early(number, grant) : null;
        }
    }

    /** The lock may have become free; or, if it was granted just now, others ask for it already. */
    void changed() {
        if (phase == Phase.IDLE && !stopped) {
            claim.maybeAskedForByOthers();
        }
        changedMeanwhile = true;
        asksInVain = 0;
        hurry();
    }

    /** Nobody wants the claim any more. What the store has granted, or may grant, is given back. */
    void stop() {
        if (!stopped) {
            stopped = true;
            uncertain |= phase == Phase.ASKING;
            enter(Phase.IDLE);
            waitsNoMore();
            knownWith(uncertain ? claim.end() : Engine.KNOWN);
            awaitStragglers();
        }
    }

    /** Completes when the store knows that nobody wants the claim any more, or there is somebody who does. */
    CompletableFuture<Void> known() {
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
    private void awaitStragglers() {
        if (out > 0 && straggling == null) {
            straggling = engine.stragglers().add();
            enter(Phase.IDLE, engine.now() + engine.replyTimeoutNanos());
        }
    }

    private void stopStraggling() {
        CompletableFuture<Void> done = straggling;
        if (done != null) {
            straggling = null;
            engine.timers().cancel(timer);
            done.complete(null);
        }
    }

    private void answered(long n, long sent, @Nullable Outcome outcome, @Nullable Throwable failure) {
        out--;
        if (failure == null || (failure instanceof HoldfastException refusal && !refusal.retryable())) {
            engine.health().answered(asked.name());
        } else {
            engine.health().failed(asked.name(), failure);
        }
        if (stopped || claim.isOver()) {
            if (outcome instanceof Outcome.Granted || (outcome != null && queues())) {
                giveBackLate();
            }
        } else {
            heard(n, sent, outcome, failure);
        }
        if (out == 0) {
            stopStraggling();
        }
    }

    private void heard(long n, long sent, @Nullable Outcome outcome, @Nullable Throwable failure) {
        // All attempts are of one claim, so the answer to an earlier one is as good, if its lease is counted from
        // there.
        if (outcome instanceof Outcome.Granted granted && phase != Phase.IDLE) {
            enter(Phase.IDLE);
            held(sent, claim.terms.lease(), granted);
        } else if (outcome instanceof Outcome.Waiting waiting && (phase == Phase.ASKING || phase == Phase.PAUSED)) {
            enter(Phase.IDLE);
            failures = 0;
            busy(n, sent, waiting);
        } else if (outcome == null && n == attempt && phase == Phase.ASKING) {
            enter(Phase.IDLE);
            failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
        }
    }

    private void held(long sent, Duration lease, Outcome.Granted granted) {
        long now = engine.now();
        claim.granted(granted.token(), sent, lease, now);
        if (uncertain || out > 0) {
            // Who waits behind it has asked the one before; who came since it was granted has asked it, unheard.
            claim.lingersBriefly();
        }
        if (claim.isLive(now)) {
            failures = 0;
            waitsNoMore();
            awaitStragglers();
            asker.granted(claim, granted.next());
        } else {
            failed(new StoreUnavailableException(claim.label() + " was granted, but the answer of "
                    + engine.store().description() + " took longer than its lease"));
        }
    }

    private void busy(long answered, long sent, Outcome.Waiting waiting) {
        Duration holderTimeLeft = waiting.holderTimeLeft();
        if (queues()) {
            uncertain = true;
            // Another attempt that is out may have taken another place since.
            place.taken(out == 0 ? waiting.place() : 0, sent);
        }
        boolean again = asker.busy(claim, answered);
        if (stopped) {
            return;
        }
        knownWith(Engine.KNOWN);
        Early grant = early;
        if (grant != null && place.is(grant.place, engine.now())) {
            enter(Phase.WAITING, engine.now());
            grantedByCall(grant.place, grant.grant);
        } else if (again || changedMeanwhile) {
            ask();
        } else if (queues()) {
            boolean soon = holderTimeLeft.compareTo(Claim.PLACE) < 0; // otherwise a look will find out
            long rarely = ASK_AGAIN_NANOS << Math.min(asksInVain++, ASK_AGAIN_DOUBLINGS);
            askAt = engine.now() + (soon ? Math.max(1_000_000, holderTimeLeft.toNanos()) : rarely);
            oneAsksForAll = !soon;
            waitForTurn(engine.renewer().nextLook());
        } else {
            long look = Math.min(RECHECK_NANOS, Math.max(1_000_000, Limits.saturatedNanos(holderTimeLeft)));
            enter(Phase.WAITING, engine.now() + look);
        }
        watch();
    }

    private void watch() {
        if (phase == Phase.WAITING && (!queues() || asker.watches())) {
            engine.watches().use(asked.kind(), asked.name());
        }
    }

    /** How long an attempt is waited for. A place lasts for a few attempts, so that one lost command does not lose it. */
    private long patience() {
        return queues() ? Math.min(RECHECK_NANOS, engine.replyTimeoutNanos()) : engine.replyTimeoutNanos();
    }

    private boolean queues() {
        return asked.turn().queues();
    }

    private void waitForTurn(long lookAt) {
        enter(Phase.WAITING, oneAsksForAll || lookAt - askAt < 0 ? lookAt : askAt);
    }

    /** Keeps the place, and asks whether the turn has come. */
    private void look() {
        looking = true;
        engine.renewer().renew(new Look(attempt));
        waitForTurn(engine.now() + patience());
    }

    private final class Look implements Renewable {

        private final long n;

        Look(long n) {
            this.n = n;
        }

        @Override
        public Claim toRenew() {
            return asked;
        }

        @Override
        public long answerBy(long now) {
            return now + patience();
        }

        @Override
        public void renewed(Claim claimed, long sent, @Nullable Standing standing, @Nullable Throwable failure) {
            strand.execute(() -> looked(n, standing, sent, failure));
        }

        @Override
        public void unanswered() {} // there is a timer for that
    }

    private void looked(long n, @Nullable Standing standing, long sent, @Nullable Throwable failure) {
        if (standing == Standing.WAITING || standing == Standing.CALLED) {
            place.kept(sent);
        } else if (failure == null) {
            place.unknown();
        }
        if (stopped || phase != Phase.WAITING || n != attempt) {
            return;
        }
        looking = false;
        if (standing == Standing.HELD) {
            claim.maybeAskedForByOthers(); // it was granted by a call, unheard
        }
        if (standing == Standing.WAITING) {
            waitForTurn(engine.renewer().nextLook());
            watch();
        } else {
            ask(); // it is called, or has lost its place, or nobody knows
        }
    }

    private void waitsNoMore() {
        if (queues()) {
            engine.calls().over(asked.id());
        }
    }

    private void failed(Throwable failure) {
        uncertain |= !(failure instanceof StoreRefusedException);
        if (!(failure instanceof HoldfastException known && known.retryable())) {
            asker.refused(failure);
            return;
        }
        if (failures++ == 0) {
            failingSince = sentAt;
        }
        long latest = asker.failing(failure, failingSince);
        if (!stopped) {
            long retry = engine.now() + engine.backoffNanos(failures);
            enter(Phase.PAUSED, retry - latest < 0 ? retry : latest);
        }
    }

    private void timerDue() {
        if (engine.now() - timerAt < 0) {
            return; // it was for an earlier phase and has been moved since
        }
        if (straggling != null) {
            engine.health().failed(asked.name(), engine.noAnswer(claim.label(), engine.now() - sentAt));
            stopStraggling();
        } else if (phase == Phase.ASKING) {
            attempt++;
            enter(Phase.IDLE);
            StoreUnavailableException unanswered = engine.noAnswer(claim.label(), engine.now() - sentAt);
            engine.health().failed(asked.name(), unanswered);
            failed(unanswered);
        } else if (phase == Phase.WAITING && queues() && !looking && !isTimeToAsk()) {
            look();
        } else if (phase != Phase.IDLE) {
            ask();
        }
    }

    private boolean isTimeToAsk() {
        return engine.now() - askAt >= 0 && (!oneAsksForAll || asker.isFirst());
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
