package io.holdfast.internal;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those of this client who want one lock, in the order in which they came, and the one claim that speaks for them at the
 * store.
 *
 * <p><b>How it works.</b> Everything happens on a {@link Strand}, so each method below that is not at the edge runs alone.
 * The queue is in one {@link Phase}; a command to the store is sent and its answer comes back as a new step, by which
 * time anything may have happened: the answer carries the attempt that it belongs to, and one that is no longer waited
 * for may only give back what it granted. One timer bounds every phase that waits for somebody else.
 *
 * <pre>
 *   IDLE ──ask──▶ ASKING ──granted──▶ HELD ──unlock──▶ HELD by the next one here (hand-off)
 *                 ▲  │ ▲                └──unlock──▶ RELEASING ──▶ ASKING, at once or after PAUSED
 *        re-check │  │ └─retry── PAUSED                 └────────▶ IDLE when nobody waits
 *          changed│  └─busy──▶ WAITING
 *                 └───────────────┘
 * </pre>
 *
 * <p>Without contention a lock is one command and an unlock another. A barging claim leaves nothing at the store while
 * it waits, so only a claim that is held, or whose asking got no answer, has to be given back.
 */
final class LockQueue {

    /** A wake-up is a hint: whoever waits looks again after this long whatever happens. */
    private static final long RECHECK_NANOS = 1_000_000_000;

    /** How many holders of one client may follow each other without asking the store, and for how long. */
    private static final int HAND_OFFS = 64;

    private static final long HAND_OFF_NANOS = 20_000_000;

    /** How long a client that has had its turn lets the others go first. */
    private static final long COURTESY_NANOS = 2_000_000;

    /** A wait that ends this long after it began without any answer is the store's fault, not another holder's. */
    private static final long UNANSWERED_NANOS = 100_000_000;

    private enum Phase {
        /** Nothing is asked for and nobody waits. */
        IDLE,
        /** A claim was sent; its answer is awaited until the timer. */
        ASKING,
        /** Somebody else has the lock; look again on a change, or at the timer. */
        WAITING,
        /** Someone here holds the lock. */
        HELD,
        /** The claim is being given back while others here wait; ask when it is, or at the timer. */
        RELEASING,
        /** Ask at the timer and not before. */
        PAUSED
    }

    private final Engine engine;
    private final String name;
    private final Strand strand = new Strand();
    private final Waiters waiters;
    private final Timer timer = new Timer(() -> strand(this::timerDue));

    private Phase phase = Phase.IDLE;
    private long timerAt;
    private long attempt;
    private long attemptSentAt;
    private boolean changedWhileAsking;
    private int failures;
    private long failingSince;
    private boolean retired;
    private @Nullable RemoteClaim remote;
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

    void changed() {
        strand(this::mayBeFree);
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
            } else if (phase == Phase.ASKING) {
                stopAsking();
                if (remote != null) {
                    remote.uncertain = true;
                }
            }
            settle();
            closed.complete(null);
        });
        return closed;
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    private void arrived(Waiter waiter) {
        Hold current = currentHold();
        if (retired) {
            engine.enqueue(waiter); // this queue was cleared away in between; the next one serves
            return;
        }
        if (engine.isClosed()) {
            waiter.result.completeExceptionally(engine.closedException());
            settle();
            return;
        }
        if (current != null) {
            if (!waiter.owner.handle() && current.isOwnedBy(waiter.owner.id()) && current.enter(waiter.terms)) {
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
        waiter.firstAttempt = attempt + 1;
        waiters.add(waiter, () -> strand(() -> timedOut(waiter)));
        if (phase == Phase.HELD) {
            waiters.announce();
        } else if (phase == Phase.IDLE || (phase == Phase.WAITING && waiter.impatient())) {
            ask();
        }
    }

    private void timedOut(Waiter waiter) {
        if (!waiter.answered
                && phase != Phase.HELD
                && engine.now() - waiter.askedAt >= UNANSWERED_NANOS
                && (failures > 0 || phase == Phase.ASKING)) {
            waiter.result.completeExceptionally(engine.noAnswer(name));
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

    private void mayBeFree() {
        if (phase == Phase.WAITING) {
            ask();
        } else if (phase == Phase.ASKING) {
            changedWhileAsking = true;
        }
    }

    private void timerDue() {
        if (engine.now() - timerAt < 0) {
            return; // it was for an earlier phase and has been moved since
        }
        switch (phase) {
            case ASKING -> {
                stopAsking();
                failed(engine.noAnswer(name));
            }
            case WAITING, PAUSED, RELEASING -> ask();
            case IDLE, HELD -> {}
        }
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    private void ask() {
        Waiter head = waiters.peek();
        if (head == null) {
            settle();
            return;
        }
        if (remote != null && !remote.terms.equals(head.terms)) {
            drop(remote);
        }
        RemoteClaim asked = remote;
        if (asked == null) {
            // A lone caller needs one token; where others wait behind it, the grant brings theirs along.
            int tokens = head.terms.watchdog() && waiters.size() > 1 ? HAND_OFFS : 1;
            Claim claim = engine.newClaim(name, head.terms, tokens, head.owner.thread());
            asked = new RemoteClaim(this, claim, head.terms);
            remote = asked;
        }
        RemoteClaim sent = asked;
        long sentAt = engine.now();
        long n = ++attempt;
        attemptSentAt = sentAt;
        changedWhileAsking = false;
        enter(Phase.ASKING, sentAt + engine.replyTimeoutNanos());
        engine.call(() -> engine.store().claim(sent.claim))
                .whenComplete((outcome, failure) -> strand(() -> answered(sent, n, sentAt, outcome, failure)));
    }

    private void answered(
            RemoteClaim asked, long n, long sentAt, @Nullable Outcome outcome, @Nullable Throwable failure) {
        if (n != attempt || phase != Phase.ASKING) {
            answeredLate(asked, outcome);
            return;
        }
        enter(Phase.IDLE);
        if (outcome == null) {
            failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
            return;
        }
        waiters.answered();
        if (outcome instanceof Outcome.Granted granted) {
            granted(asked, sentAt, granted.token());
        } else {
            failures = 0;
            busy(((Outcome.Waiting) outcome).holderTimeLeft());
        }
    }

    /** Whatever the answer will be, it comes too late. */
    private void stopAsking() {
        attempt++;
        enter(Phase.IDLE);
    }

    /** An answer that nobody waits for any more. What it granted is given back, unless the claim is asked for anew. */
    private void answeredLate(RemoteClaim asked, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Granted) {
            if (asked != remote) {
                releaseLate(asked);
            } else if (phase == Phase.WAITING) {
                ask();
            }
        }
    }

    private void releaseLate(RemoteClaim granted) {
        engine.releaser()
                .release(granted.claim, engine.now() + granted.terms.lease().toNanos());
    }

    private void granted(RemoteClaim granted, long sentAt, long token) {
        long now = engine.now();
        granted.granted(token, sentAt, Terms.deadline(sentAt, granted.terms.lease()), now);
        if (!granted.isLive(now)) {
            drop(granted);
            failed(new StoreUnavailableException("lock '" + name + "' was granted, but the answer of "
                    + engine.store().description() + " took longer than its lease"));
            return;
        }
        failures = 0;
        if (handTo(granted)) {
            waiters.refuseImpatient(Long.MAX_VALUE);
        } else {
            giveBackClaim(granted, new CompletableFuture<>());
        }
    }

    private void busy(Duration holderTimeLeft) {
        waiters.refuseImpatient(attempt);
        if (waiters.isEmpty()) {
            settle();
        } else if (changedWhileAsking || waiters.anyImpatient()) {
            ask();
        } else {
            waiters.announce();
            long look = Math.min(RECHECK_NANOS, Math.max(1_000_000, Limits.saturatedNanos(holderTimeLeft)));
            enter(Phase.WAITING, engine.now() + look);
            engine.watches().use(name);
        }
    }

    private void failed(Throwable failure) {
        if (remote != null) {
            remote.uncertain = true;
        }
        if (!(failure instanceof HoldfastException known && known.retryable())) {
            waiters.failAll(failure);
            settle();
            return;
        }
        if (failures++ == 0) {
            failingSince = attemptSentAt;
        }
        long now = engine.now();
        long retry = now + engine.backoffNanos(failures);
        for (Waiter waiter : waiters.copy()) {
            long since = waiter.askedAt - failingSince > 0 ? waiter.askedAt : failingSince;
            long until = since + engine.timeoutNanos();
            if (until - now > 0) {
                retry = earlier(retry, until);
            } else {
                waiter.result.completeExceptionally(giveUp(failure));
                left(waiter);
            }
        }
        if (waiters.isEmpty()) {
            settle();
        } else {
            enter(Phase.PAUSED, retry);
        }
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
        while (true) {
            Waiter next = waiters.peek();
            if (next == null || !next.terms.equals(granted.terms)) {
                return false;
            }
            waiters.remove(next);
            long now = engine.now();
            Hold given = new Hold(engine, granted, next.owner, granted.takeToken(), now);
            hold = given;
            enter(Phase.HELD);
            if (next.result.complete(given)) {
                engine.keeper().start(given);
                engine.events().granted(given, now - next.askedAt);
                return true;
            }
            hold = null; // its caller left a moment ago
            if (!granted.hasToken()) {
                return false;
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
        RemoteClaim held = given.remote;
        long now = engine.now();
        given.released();
        hold = null;
        engine.keeper().stop(given);
        engine.events().released(given, now - given.grantedAt);
        if (mayHandOff(held, now) && handTo(held)) {
            done.complete(null);
        } else {
            giveBackClaim(held, done);
        }
    }

    private boolean mayHandOff(RemoteClaim held, long now) {
        return held.terms.watchdog() && held.hasToken() && !held.extended && now - held.grantedAt() < HAND_OFF_NANOS;
    }

    /** Releases a claim that was granted, and lets those who wait here ask again once it is done. */
    private void giveBackClaim(RemoteClaim held, CompletableFuture<Void> done) {
        remote = null;
        long n = ++attempt;
        enter(Phase.RELEASING, engine.now() + engine.replyTimeoutNanos());
        engine.releaser()
                .release(held.claim, engine.now() + held.terms.lease().toNanos())
                .whenComplete((release, failure) -> {
                    strand(() -> givenBack(n, release));
                    if (release == null) {
                        done.completeExceptionally(failure);
                    } else if (release.held()) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(goneException(held));
                    }
                });
        settle();
    }

    private void givenBack(long n, @Nullable Release release) {
        if (phase != Phase.RELEASING || n != attempt) {
            return;
        }
        if (release != null && release.contended()) {
            enter(Phase.PAUSED, engine.now() + COURTESY_NANOS);
        } else {
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
        engine.events().lost(held, reason);
        drop(held.remote);
        ask();
    }

    private HoldfastException goneException(RemoteClaim held) {
        return new LeaseLostException("lock '" + name + "' was lost before it was given back: "
                + engine.store().description() + " no longer had claim " + held.claim.id()
                + " (forced, evicted, or lost in a restart); another owner may have held it since");
    }

    // ---- cleaning up ------------------------------------------------------------------------------------------

    /** Forgets a claim; whatever the store may have granted it is given back, now or when it turns up. */
    private void drop(RemoteClaim dropped) {
        if (remote == dropped) {
            remote = null;
        }
        if (dropped.wasGranted() || dropped.uncertain) {
            engine.releaser()
                    .release(dropped.claim, engine.now() + dropped.terms.lease().toNanos());
        }
    }

    /** Where nobody waits and nobody holds, nothing stays. */
    private void settle() {
        if (!waiters.isEmpty() || hold != null || retired) {
            return;
        }
        if (phase == Phase.ASKING) {
            return; // the answer decides: a newcomer may still want it, and otherwise it is given back
        }
        if (remote != null) {
            drop(remote);
        }
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

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
