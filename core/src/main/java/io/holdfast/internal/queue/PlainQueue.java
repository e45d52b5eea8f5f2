package io.holdfast.internal.queue;

import io.holdfast.LockEvent.Granted;
import io.holdfast.LossReason;
import io.holdfast.internal.claim.Acquirer;
import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.ActiveClaim;
import io.holdfast.internal.claim.Decision;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.Holder;
import io.holdfast.internal.claim.Releaser;
import io.holdfast.internal.claim.Watchdog;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.Strand;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.ResourceType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of a plain lock and the claim that they share at the store, first come first served. Everything happens on a
 * {@link Strand}, so each step runs alone. {@link Acquisition} gets the claim, {@link Watchdog} keeps it, {@link Releaser} gives it
 * back, and {@link KeptClaim} is the claim while no thread holds it; what is left to this class is whose turn it is.
 *
 * <pre>
 *   IDLE ──a waiter comes──▶ ASKING ──granted──▶ HELD ──unlock──▶ HELD by the next waiter (hand-off)
 *                              ▲                   └──unlock──▶ RELEASING ──▶ IDLE without waiters
 *                              └────────────waiters────────────────┘
 *
 *   HELD ──unlock──▶ KEPT ──a waiter comes, or the next one is awake──▶ HELD
 *                      └──its time is over, or another client asks──▶ RELEASING
 * </pre>
 *
 * <p>Without contention a lock is one command and an unlock another. The first claim may barge, and leaves nothing at the store
 * if it finds another holder there. The client then sends a second one, which takes a ticket at the end of the store's queue,
 * where the store has one. A client that has just given the lock back while other claims waited has had its turn: its next claim
 * for the name takes a ticket at once, see {@link ContendedNames}. (The base of {@link LockQueue} to save an object per held
 * lock.)
 */
abstract class PlainQueue extends Strand implements Acquirer, Holder {

    private enum Phase {
        /** Nothing is asked for and no caller waits. */
        IDLE,
        /** An acquisition is under way. */
        ASKING,
        /** A local caller holds the lock. */
        HELD,
        /** No local caller holds the claim, and it is kept for the next one. */
        KEPT,
        /** The claim is being given back; local callers ask when it is, or at the timer. */
        RELEASING
    }

    final QueueContext engine;
    final ResourceType type;
    final String name;
    Waiters waiters = Waiters.NONE;

    /** Made when a claim is first given back: while the lock is held there is none. */
    private @Nullable Timer timer;

    private Phase phase = Phase.IDLE;

    @Nullable
    Acquisition acquisition;

    volatile @Nullable Hold hold;

    /** How the claim was kept since it was granted; made when it first was. */
    volatile @Nullable KeptClaim kept;

    PlainQueue(QueueContext engine, ResourceType type, String name) {
        this.engine = engine;
        this.type = type;
        this.name = name;
    }

    /** True if no other claim of this client waits for the name or holds it. */
    abstract boolean hasNoQueuedClaims();

    /** Lets in the other pending requests of an owner that has just become the holder. */
    abstract void enterAgain(Hold given);

    /** The plain lock is neither held nor waited for. */
    abstract void idle();

    // ---- waiting ----------------------------------------------------------------------------------------------

    void add(Waiter waiter) {
        waiter.firstAttempt = acquisition == null ? 0 : acquisition.nextAttempt();
        waiters = waiters == Waiters.NONE ? new Waiters() : waiters;
        waiters.add(waiter, () -> strand(() -> timedOut(waiter)));
        if (phase == Phase.HELD || phase == Phase.KEPT) {
            waiter.announce();
        } else if (phase == Phase.IDLE) {
            ask();
        } else if (acquisition != null && waiter.nonBlocking()) {
            acquisition.hurry();
        }
    }

    @Override
    public @Nullable Hold lastHold() {
        return hold;
    }

    private void timedOut(Waiter waiter) {
        if (waiters.tryExpire(waiter, acquisition)) {
            waiter.hadNot(remove(waiter));
        }
    }

    /** Completes when the store knows that the waiter has left. */
    CompletableFuture<Void> remove(Waiter waiter) {
        if (!waiters.remove(waiter)) {
            return Futures.KNOWN;
        }
        offerOn();
        Acquisition vain = acquisition;
        CompletableFuture<Void> known = vain != null && waiters.isEmpty() ? vain.known() : Futures.KNOWN;
        settle();
        return known;
    }

    /** The waiter was called and is awake: it is next. */
    void wakesUp(Waiter waiter) {
        waiter.awake = true;
        KeptClaim its = kept;
        if (its != null && waiter == waiters.peek()) {
            its.endOffer();
        }
    }

    /** The waiter that was called may have left. */
    void offerOn() {
        KeptClaim its = kept;
        if (its != null) {
            its.offerOn();
        }
    }

    /** Fails the waiters and gives back what the client has. */
    void closePlain() {
        Hold current = hold;
        if (current != null && current.outlivesClient()) {
            if (verifyHold() != null) {
                hold = null;
                engine.watchdog().leaveToExpire(current);
            }
        } else if (current != null) {
            lose(current, LossReason.CLOSED, engine.whyClosed());
        }
        stopAcquisition();
        KeptClaim its = kept;
        if (its != null) {
            its.giveBack();
        }
        settle();
    }

    // ---- acquisition ------------------------------------------------------------------------------------------

    private void ask() {
        Waiter head = waiters.peek();
        if (head == null) {
            settle();
        } else {
            ask(head, false);
        }
    }

    /** @param waits whether it is known that the claim has to wait for other claims */
    private void ask(Waiter head, boolean waits) {
        QueuePolicy policy = policy(head, waits);
        int tokens = engine.handOffs().tokens(head, waiters.size(), policy.queues());
        ActiveClaim claim = new ActiveClaim(this, engine.owner(head.owner), tokens, 1, head.terms, policy);
        acquisition = new Acquisition(engine, this::execute, claim, this);
        enter(Phase.ASKING);
        acquisition.ask();
    }

    private QueuePolicy policy(Waiter head, boolean waits) {
        boolean comesLast = waits || engine.contended().contains(name, engine.now());
        if (!comesLast || !engine.capabilities().canQueue()) {
            return QueuePolicy.BARGES;
        }
        return head.nonBlocking() ? QueuePolicy.GIVES_WAY : QueuePolicy.QUEUES;
    }

    @Override
    public boolean isForHandle() {
        Waiter head = waiters.peek();
        return head != null && head.owner.isHandle();
    }

    private void stopAcquisition() {
        if (acquisition != null) {
            acquisition.stop();
            acquisition = null;
        }
    }

    @Override
    public CompletableFuture<Void> granted(ActiveClaim claim, List<ClaimResult.Next> next) {
        acquisition = null;
        kept = null;
        waiters.answered();
        if (claim.terms.lingers()) {
            engine.notifications().revocable(claim.id(), () -> strand(() -> revocationRequested(claim)));
        }
        if (tryHandTo(claim)) {
            waiters.refuseNonBlocking(Long.MAX_VALUE).forEach(waiter -> waiter.result.complete(null));
            waiters.announce();
            return Futures.KNOWN;
        }
        CompletableFuture<Void> known = new CompletableFuture<>();
        giveBackClaim(claim, null, known);
        return known;
    }

    @Override
    public Decision busy(ActiveClaim claim, long attempt) {
        waiters.answered();
        List<Waiter> refused = waiters.refuseNonBlocking(attempt);
        Waiter head = waiters.peek();
        CompletableFuture<Void> known = head == null && acquisition != null ? acquisition.known() : Futures.KNOWN;
        for (Waiter waiter : refused) {
            waiter.hadNot(known);
        }
        if (head == null) {
            return Decision.STOP;
        } else if (!head.terms.equals(claim.terms)) {
            return Decision.REPLACE; // the caller that it was asked for has left
        } else if (!claim.policy.queues()
                && !waiters.anyNonBlocking()
                && engine.capabilities().canQueue()) {
            return Decision.ENQUEUE;
        }
        waiters.announce();
        return waiters.anyNonBlocking() ? Decision.RETRY : Decision.WAIT;
    }

    @Override
    public Decision failing(Throwable failure, long since) {
        waiters.failOverdue(since, engine.now(), () -> engine.notAskedFor(type, name, failure));
        return waiters.isEmpty() ? Decision.STOP : Decision.WAIT;
    }

    @Override
    public long nextGiveUp(long since) {
        return waiters.nextGiveUp(since, engine.now() + engine.timeoutNanos());
    }

    @Override
    public void refused(Throwable failure) {
        waiters.failAll(failure);
    }

    @Override
    public void stopped(Decision why) {
        boolean queued = acquisition != null && acquisition.claim().policy.queues();
        acquisition = null;
        Waiter head = waiters.peek();
        if (head == null || why == Decision.STOP) {
            settle();
        } else {
            ask(head, queued || why == Decision.ENQUEUE);
        }
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    /** Makes the next waiter the holder; false if there is none that this claim suits. */
    boolean tryHandTo(ActiveClaim granted) {
        while (granted.hasToken()) {
            Waiter next = waiters.peek();
            if (next == null || !next.terms.equals(granted.terms)) {
                return false;
            }
            waiters.remove(next);
            Hold given = new Hold(granted, next.owner, granted.takeToken(), engine.now());
            hold = given;
            enter(Phase.HELD);
            if (given.tryGiveTo(next.result)) {
                Granted.Path path = granted.isFirstGrant() ? Granted.Path.STORE : Granted.Path.HAND_OFF;
                taken(given, path, next.askedAt, next.context);
                enterAgain(given);
                waiters = waiters.isEmpty() ? Waiters.NONE : waiters; // the lock may be held for long, with no waiter
                return true;
            }
            hold = null;
        }
        return false;
    }

    /**
     * A local caller has the lock.
     *
     * @param context what the listeners remember of the request
     */
    void taken(Hold given, Granted.Path path, long askedAt, @Nullable Object context) {
        engine.watchdog().goOn(given);
        engine.events().granted(given, path, given.begunAt() - askedAt, context);
    }

    void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != verifyHold()) {
            given.tellHowItEnded(done);
            return;
        }
        if (tryKeep(given)) {
            done.complete(null);
            return;
        }
        long now = engine.now();
        ended(given, now);
        boolean mayHandOff = engine.handOffs().mayHandOff(given.activeClaim, now);
        if (mayHandOff && tryHandTo(given.activeClaim)) {
            done.complete(null);
        } else if (mayHandOff && engine.handOffs().mayAwaitNext(given, now) && mayStay(given.activeClaim)) {
            keptOf(given.activeClaim).awaitNext(given, done, now);
        } else {
            giveBackClaim(given.activeClaim, given, done);
        }
    }

    void ended(Hold given, long now) {
        given.released();
        hold = null;
        engine.events().released(given, now);
    }

    /** Releases a claim that was granted; local waiters ask again once it is released. */
    void giveBackClaim(ActiveClaim held, @Nullable Hold given, CompletableFuture<Void> done) {
        engine.watchdog().stop(held);
        engine.handOffs().released(held);
        enter(Phase.RELEASING, engine.now() + engine.replyTimeoutNanos());
        held.giveBack(given, done).thenAccept(release -> givenBack(held, release));
        settle();
    }

    private void givenBack(ActiveClaim held, @Nullable ReleaseResult release) {
        if (release != null) {
            engine.contended().released(name, release.contended() || held.isAskedFor(), engine.now());
        }
        if (phase == Phase.RELEASING) {
            askIfWanted();
        }
    }

    private void timerDue() {
        // Otherwise it was for an earlier phase and has been moved since.
        if (timer != null && timer.isDue(engine.now()) && phase == Phase.RELEASING) {
            askIfWanted();
        }
    }

    private void askIfWanted() {
        enter(Phase.IDLE);
        ask();
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

    /** The next waiter asks anew. */
    @Override
    public void lose(Hold held, LossReason reason, String text) {
        engine.lost().remember(held);
        hold = null;
        engine.watchdog().lost(held, reason, text);
        ask();
    }

    // ---- keeping the claim for the next local holder ----------------------------------------------------------

    /** Leaves the claim for the next local holder, unless there is none to come or it has to go back. */
    boolean tryKeep(Hold given) {
        long now = engine.now();
        ActiveClaim claim = given.activeClaim;
        if (waiters.isEmpty()) {
            return claim.mayLinger() && mayStay(claim) && keptOf(claim).tryLinger(given, now);
        }
        boolean offers = engine.handOffs().mayOffer(given, now) && waiters.tryWakeNext(claim);
        if (offers) {
            keptOf(claim).offer(given, now);
        }
        return offers;
    }

    private boolean mayStay(ActiveClaim held) {
        return held.hasToken() && waiters.isEmpty() && hasNoQueuedClaims() && !engine.isClosed();
    }

    private KeptClaim keptOf(ActiveClaim claim) {
        KeptClaim its = kept;
        if (its == null) {
            its = new KeptClaim(this, claim);
            kept = its;
        }
        return its;
    }

    /** The claim is free, and kept. */
    void keep() {
        hold = null;
        phase = Phase.KEPT;
    }

    /** A local caller has taken the kept claim. */
    void holdKept(Hold given) {
        hold = given;
        phase = Phase.HELD;
    }

    @Override
    public void renewedUnheld(ActiveClaim claim, boolean held, long deadline) {
        KeptClaim its = kept;
        if (its != null && its.isFree() && its.claim == claim && !(held && claim.tryExtend(deadline, engine.now()))) {
            its.giveBack();
        }
    }

    private void revocationRequested(ActiveClaim claim) {
        claim.askedForByOthers();
        KeptClaim its = kept;
        if (its != null && its.claim == claim) {
            its.giveBack();
        }
    }

    // ---- cleaning up ------------------------------------------------------------------------------------------

    /** Clears the plain lock away if it is neither held nor waited for, nor being given back. */
    void settle() {
        KeptClaim its = kept;
        if (!waiters.isEmpty() || hold != null || (its != null && its.isFree())) {
            return;
        }
        if (phase == Phase.RELEASING && !engine.isClosed()) {
            return; // a caller that comes now asks once it is known whether other claims go first
        }
        if (acquisition != null && acquisition.isUnderWay()) {
            return; // the answer decides: a newcomer may still want it, and otherwise it is given back
        }
        stopAcquisition();
        enter(Phase.IDLE);
        idle();
    }

    private void enter(Phase next) {
        phase = next;
        disarmKept();
        if (timer != null) {
            engine.timers().cancel(timer);
        }
    }

    private void enter(Phase next, long until) {
        phase = next;
        disarmKept();
        if (timer == null) {
            timer = new Timer(() -> strand(this::timerDue));
        }
        engine.timers().arm(timer, until);
    }

    private void disarmKept() {
        KeptClaim its = kept;
        if (its != null) {
            its.disarm();
        }
    }
}
