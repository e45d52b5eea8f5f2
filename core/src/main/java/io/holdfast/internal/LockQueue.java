package io.holdfast.internal;

import io.holdfast.LeaseLostException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those of this client who want one lock, in the order in which they came, and the one claim that speaks for them at the
 * store.
 *
 * <p><b>How it works.</b> Everything happens on a {@link Strand}, so each step runs alone; steps that come from outside
 * are at the edge, below. {@link Asking} gets the claim, {@link Keeper} keeps it, {@link Releaser} gives it back; what is
 * left to this class is whose turn it is.
 *
 * <pre>
 *   IDLE ──someone comes──▶ ASKING ──granted──▶ HELD ──unlock──▶ HELD by the next one here (hand-off)
 *                             ▲ ▲                 └──unlock──▶ RELEASING ──▶ IDLE when nobody waits
 *                             │ └───────────────────────────────┤
 *                             └────── COURTESY ◀── others wait ─┘
 * </pre>
 *
 * <p>Without contention a lock is one command and an unlock another. A barging claim leaves nothing at the store while
 * it waits, so only a claim that is held, or whose asking got no answer, has to be given back.
 */
final class LockQueue implements Asking.Asker {

    /** How many holders of one client may follow each other without asking the store, and for how long. */
    private static final int HAND_OFFS = 64;

    private static final long HAND_OFF_NANOS = 20_000_000;

    /** How long a client that has had its turn lets the others go first. */
    private static final long COURTESY_NANOS = 2_000_000;

    private enum Phase {
        /** Nothing is asked for and nobody waits. */
        IDLE,
        /** Those who wait are asking the store. */
        ASKING,
        /** Someone here holds the lock. */
        HELD,
        /** The claim is being given back while others here wait; they ask when it is, or at the timer. */
        RELEASING,
        /** Others go first; ask at the timer. */
        COURTESY
    }

    private final Engine engine;
    private final String name;
    private final Strand strand = new Strand();
    private final Waiters waiters;
    private final Timer timer = new Timer(() -> strand(this::timerDue));

    private Phase phase = Phase.IDLE;
    private long timerAt;
    private boolean retired;
    private @Nullable Asking asking;
    private volatile @Nullable Hold hold;

    LockQueue(Engine engine, String name) {
        this.engine = engine;
        this.name = name;
        this.waiters = new Waiters(engine);
    }

    // ---- the edge: called from anywhere -----------------------------------------------------------------------

    Engine engine() {
        return engine;
    }

    String name() {
        return name;
    }

    @Nullable
    Hold hold() {
        return hold;
    }

    void enqueue(Waiter waiter) {
        strand(() -> arrived(waiter));
    }

    /** The waiter has been decided by its caller. */
    void withdraw(Waiter waiter) {
        strand(() -> left(waiter));
    }

    /** The lock may have become free. */
    void changed() {
        strand(() -> {
            if (asking != null) {
                asking.changed();
            }
        });
    }

    void release(Hold released, CompletableFuture<Void> done) {
        strand(() -> giveBack(released, done));
    }

    /** Runs a step alone. */
    void strand(Runnable step) {
        strand.execute(step);
    }

    /** The client is closing: nobody gets anything any more. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        strand(() -> {
            waiters.failAll(engine.closedException());
            Hold current = hold;
            if (current != null) {
                lose(current, "its client was closed");
            }
            stopAsking();
            settle();
            closed.complete(null);
        });
        return closed;
    }

    // ---- coming and going -------------------------------------------------------------------------------------

    private void arrived(Waiter waiter) {
        Hold current = currentHold();
        if (retired) {
            engine.enqueue(waiter); // this queue was cleared away in between; the next one serves
            return;
        }
        if (engine.isClosed()) {
            waiter.result.completeExceptionally(engine.closedException());
        }
        if (waiter.decided()) { // by its caller, who left before it got here
            settle();
            return;
        }
        if (current != null) {
            if (waiter.owner.is(current.owner) && current.enter(waiter.terms)) {
                if (!waiter.result.complete(current)) {
                    engine.undo(current);
                }
                return;
            }
            if (waiter.impatient()) {
                waiter.result.complete(null);
                return;
            }
        }
        waiter.firstAttempt = asking == null ? 0 : asking.nextAttempt();
        waiters.add(waiter, () -> strand(() -> timedOut(waiter)));
        if (phase == Phase.HELD) {
            waiters.announce();
        } else if (phase == Phase.IDLE) {
            ask();
        } else if (asking != null && waiter.impatient()) {
            asking.hurry();
        }
    }

    private void timedOut(Waiter waiter) {
        if (!waiter.answered && asking != null && asking.isUnderWay() && !asking.isUnanswered()) {
            // A wait that is shorter than the way to the store hears the first answer, if it comes soon.
            waiters.overdue(waiter, asking.unansweredFrom());
            return;
        }
        if (!waiter.answered && asking != null && asking.isUnanswered()) {
            waiter.result.completeExceptionally(engine.noAnswer(name, engine.now() - waiter.askedAt));
        } else {
            waiter.result.complete(null);
        }
        left(waiter);
    }

    private void left(Waiter waiter) {
        if (waiters.remove(waiter)) {
            settle();
        }
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    private void ask() {
        Waiter head = waiters.peek();
        if (head == null) {
            settle();
            return;
        }
        // A lone caller needs one token; where others wait behind it, the grant brings theirs along.
        int tokens = head.terms.watchdog() && waiters.size() > 1 ? HAND_OFFS : 1;
        Claim claim = engine.newClaim(name, head.terms, tokens, head.owner.thread());
        asking = new Asking(engine, strand, new RemoteClaim(this, claim, head.terms), this);
        enter(Phase.ASKING);
        waiters.restartAttempts();
        asking.ask();
    }

    private void stopAsking() {
        if (asking != null) {
            asking.stop();
            asking = null;
        }
    }

    @Override
    public void granted(RemoteClaim claim) {
        asking = null;
        waiters.answered();
        if (handTo(claim)) {
            waiters.refuseImpatient(Long.MAX_VALUE);
        } else {
            giveBackClaim(claim, null, new CompletableFuture<>());
        }
    }

    @Override
    public boolean busy(RemoteClaim claim, long attempt) {
        waiters.answered();
        waiters.refuseImpatient(attempt);
        Waiter head = waiters.peek();
        if (head == null) {
            stopAsking();
            settle();
        } else if (!head.terms.equals(claim.terms)) {
            stopAsking(); // whoever it was asked for has left
            ask();
        } else {
            waiters.announce();
        }
        return waiters.anyImpatient();
    }

    @Override
    public void refused(Throwable failure) {
        waiters.failAll(failure);
        stopAsking();
        settle();
    }

    @Override
    public long failing(Throwable failure, long since) {
        long now = engine.now();
        long latest = now + engine.timeoutNanos();
        for (Waiter waiter : waiters.copy()) {
            long until = (waiter.askedAt - since > 0 ? waiter.askedAt : since) + engine.timeoutNanos();
            if (until - now <= 0) {
                waiter.result.completeExceptionally(giveUp(failure));
                waiters.remove(waiter);
            } else if (until - latest < 0) {
                latest = until;
            }
        }
        if (waiters.isEmpty()) {
            stopAsking();
            settle();
        }
        return latest;
    }

    private Throwable giveUp(Throwable failure) {
        return failure instanceof StoreUnavailableException
                ? new StoreUnavailableException(
                        "lock '" + name + "' could not be asked for in "
                                + Duration.ofNanos(engine.timeoutNanos()).toMillis() + " ms: " + failure.getMessage(),
                        failure)
                : failure;
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    /** Makes the next one here the holder; false if there is nobody whom this claim suits. */
    private boolean handTo(RemoteClaim granted) {
        while (granted.hasToken()) {
            Waiter next = waiters.peek();
            if (next == null || !next.terms.equals(granted.terms)) {
                return false;
            }
            waiters.remove(next);
            long now = engine.now();
            Hold given = new Hold(engine, granted, next.owner, granted.takeToken(), now);
            hold = given;
            enter(Phase.HELD);
            // Its caller may have left a moment ago, and may even have come back by then: the hold was there to enter.
            if (next.result.complete(given) || given.leave() > 0) {
                engine.keeper().start(given);
                engine.events().granted(given, now - next.askedAt);
                enterAgain(given);
                return true;
            }
            hold = null;
        }
        return false;
    }

    /** Lets those in whom the owner had asked for as well before it was answered. */
    private void enterAgain(Hold given) {
        for (Waiter same : waiters.askedAgainBy(given.owner)) {
            if (given.enter(same.terms)) {
                waiters.remove(same);
                if (!same.result.complete(given)) {
                    engine.undo(given);
                }
            }
        }
    }

    private void giveBack(Hold given, CompletableFuture<Void> done) {
        if (given != currentHold()) {
            // Not the holder any more: lost, or given back already.
            if (given.isReleased()) {
                done.complete(null);
            } else {
                done.completeExceptionally(given.lossException());
            }
            return;
        }
        long now = engine.now();
        given.released();
        hold = null;
        engine.keeper().stop(given);
        engine.events().released(given, now - given.grantedAt);
        if (mayHandOff(given.remote, now) && handTo(given.remote)) {
            done.complete(null);
        } else {
            giveBackClaim(given.remote, given, done);
        }
    }

    private boolean mayHandOff(RemoteClaim held, long now) {
        return held.terms.watchdog() && !held.isExtended() && now - held.grantedAt() < HAND_OFF_NANOS;
    }

    /** Releases a claim that was granted, and lets those who wait here ask again once it is done. */
    private void giveBackClaim(RemoteClaim held, @Nullable Hold given, CompletableFuture<Void> done) {
        enter(Phase.RELEASING, engine.now() + engine.replyTimeoutNanos());
        held.end()
                .whenComplete((release, failure) -> strand(() -> {
                    if (release == null) {
                        done.completeExceptionally(failure);
                    } else if (release.held() || held.endedTwice()) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(goneException(held));
                        if (given != null) {
                            engine.events().lost(given, "the store no longer had it when it was given back", false);
                        }
                    }
                    askOnceGivenBack(release);
                }));
        settle();
    }

    private void askOnceGivenBack(@Nullable Release release) {
        if (phase == Phase.RELEASING) {
            if (release != null && release.contended()) {
                enter(Phase.COURTESY, engine.now() + COURTESY_NANOS);
            } else {
                ask();
            }
        }
    }

    private void timerDue() {
        // Otherwise it was for an earlier phase and has been moved since.
        if (engine.now() - timerAt >= 0 && (phase == Phase.RELEASING || phase == Phase.COURTESY)) {
            ask();
        }
    }

    // ---- losing -----------------------------------------------------------------------------------------------

    /** The hold, unless its time is over, which is then told. */
    @Nullable
    Hold currentHold() {
        Hold current = hold;
        if (current != null && !current.isValid()) {
            lose(current, current.isKept() ? "it could not be renewed in time" : "its lease ran out");
            return null;
        }
        return current;
    }

    /** The hold has ended before it was given back: its owner is told, and the next one here asks anew. */
    void lose(Hold held, String reason) {
        engine.lost().remember(held);
        held.lost(reason);
        hold = null;
        engine.keeper().stop(held);
        engine.events().lost(held, reason, engine.isClosed());
        held.remote.end();
        ask();
    }

    private LeaseLostException goneException(RemoteClaim held) {
        return new LeaseLostException("lock '" + name + "' was lost before it was given back: "
                + engine.store().description() + " no longer had claim " + held.claim.id()
                + " (forced, evicted, or lost in a restart); another owner may have held it since");
    }

    // ---- cleaning up ------------------------------------------------------------------------------------------

    /** Where nobody waits and nobody holds, nothing stays. */
    private void settle() {
        if (!waiters.isEmpty() || hold != null || retired) {
            return;
        }
        if (asking != null && asking.isUnderWay()) {
            return; // the answer decides: a newcomer may still want it, and otherwise it is given back
        }
        stopAsking();
        enter(Phase.IDLE);
        retired = true;
        engine.retire(this);
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
