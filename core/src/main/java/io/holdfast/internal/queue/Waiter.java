package io.holdfast.internal.queue;

import io.holdfast.HoldfastException;
import io.holdfast.LocalWaiter;
import io.holdfast.LockEvent;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.Acquisition;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of this client that wants a lock. */
public final class Waiter implements PendingRequest {

    public static final long FOREVER = Long.MAX_VALUE;

    private final QueueContext engine;
    public final String name;
    public final LockRequest request;
    final LeaseTerms terms;
    final LockOwner owner;
    final long waitNanos;

    /** The hold, or {@code null} if it was not had in time. The first to complete it has decided. */
    public final WaiterFuture result = new WaiterFuture(this);

    final long askedAt;

    /** What the listeners remember of the request. */
    final @Nullable Object context;

    /** The first asking whose answer says how things stood after this waiter came. */
    long firstAttempt;

    /** Whether the store has answered anything since this waiter came. */
    boolean answered;

    /** Whether the store left it without an answer: it would not answer that it has left, either. */
    private boolean unanswered;

    /** Whether its time is over and it only waits for the first answer. */
    boolean overdue;

    /** Whether its thread was called, and has said that it is awake since. */
    boolean awake;

    /** Whether the listeners were told that it waits. */
    private boolean announced;

    /** Its own claim, if it has one. */
    @Nullable
    QueuedClaim queuedClaim;

    /** Its neighbours in {@link Waiters}. */
    @Nullable
    Waiter ahead;

    @Nullable
    Waiter behind;

    private @Nullable Timer timeout;

    public Waiter(
            QueueContext engine,
            String name,
            LockRequest request,
            LeaseTerms terms,
            LockOwner owner,
            long waitNanos,
            long askedAt,
            @Nullable Object context) {
        this.engine = engine;
        this.name = name;
        this.request = request;
        this.terms = terms;
        this.owner = owner;
        this.waitNanos = waitNanos;
        this.askedAt = askedAt;
        this.context = context;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable Object recording() {
        return result.recording;
    }

    @Override
    public Mode mode() {
        return request.mode();
    }

    @Override
    public CompletableFuture<@Nullable Hold> result() {
        return result;
    }

    @Override
    public CompletableFuture<Void> withdraw(LockEvent.NotGranted.Cause cause) {
        return engine.withdraw(this, cause);
    }

    /** Wakes its thread, if it sleeps; the thread says when it is awake. False if it is awake, or not asleep yet. */
    boolean tryWake() {
        return !awake && result.tryWake();
    }

    /** Its thread was called, and is awake. */
    public void wokeUp() {
        engine.wokeUp(this);
    }

    /** Its thread is awake, and has what it waited for. */
    void has(Hold hold) {
        hold.begins(engine.now());
    }

    /** Whether it wants an answer now rather than the lock later. */
    boolean nonBlocking() {
        return waitNanos <= 0 || overdue;
    }

    boolean timed() {
        return waitNanos > 0 && waitNanos != FOREVER;
    }

    public boolean decided() {
        return result.isDone();
    }

    /** Enters the hold that its owner has by now, or is refused because of it; false if there is none that can be entered. */
    boolean tryEnter(@Nullable Hold own) {
        if (own == null) {
            return false;
        }
        if (!request.reentrant()) {
            return tryRefuseReentry(own);
        }
        if (!own.tryReserve(terms)) {
            return false;
        }
        if (!result.complete(own)) {
            own.cancel();
        }
        return true;
    }

    /** Refuses a lock that is not re-entrant to its holder: it would wait for itself. */
    private boolean tryRefuseReentry(Hold own) {
        if (own.count() == 0) { // one that is only reserved may be of a caller that has left
            return false;
        }
        result.completeExceptionally(new HoldfastException(
                Messages.label(request.mode().type(), name)
                        + " is not re-entrant and is held by the same owner, which would wait for itself;"
                        + " give it back before asking again",
                false));
        return true;
    }

    /** Refuses the write lock to an owner that reads: it would wait for itself. False if it does not read. */
    boolean tryRefuseUpgrade(@Nullable Hold read) {
        if (read == null || read.count() == 0) { // one that is only reserved may be of a caller that has left
            return false;
        }
        if (nonBlocking()) {
            result.complete(null);
        } else {
            result.completeExceptionally(new HoldfastException(
                    Messages.label(request.mode().type(), name)
                            + " is held for reading by the same owner, which would wait for itself;"
                            + " give the read lock back before asking for the write lock",
                    false));
        }
        return true;
    }

    // ---- its time ---------------------------------------------------------------------------------------------

    void armTimeout(Runnable timedOut) {
        if (timed()) {
            timeout = new Timer(timedOut);
            engine.timers().arm(timeout, askedAt + waitNanos);
        }
    }

    void stopTimeout() {
        if (timeout != null) {
            engine.timers().cancel(timeout);
        }
    }

    /**
     * Ends its wait, unless that is shorter than the way to the store: then it hears the first answer, if that comes soon.
     */
    boolean tryExpire(@Nullable Acquisition acquisition) {
        if (!answered
                && acquisition != null
                && acquisition.isUnderWay()
                && !acquisition.isUnanswered()
                && timeout != null) {
            overdue = true;
            engine.timers().arm(timeout, acquisition.unansweredFrom());
            return false;
        }
        unanswered = acquisition != null && acquisition.isUnanswered();
        return true;
    }

    /**
     * Tells it that it has not had the lock in its time, or why the store can't say. It is told when the store knows that it
     * has left, so that nothing is granted to it after that, unless that takes long.
     */
    void hadNot(CompletableFuture<?> left) {
        Throwable outage = answered
                ? null
                : engine.health().outage(Messages.label(request.mode().type(), name), name);
        if (outage == null) {
            long until = askedAt + (timed() ? waitNanos : 0) + Tuning.UNANSWERED_NANOS;
            engine.whenKnown(unanswered ? Futures.KNOWN : left, until, () -> result.complete(null));
        } else {
            result.completeExceptionally(outage);
        }
    }

    /** How long it goes on when the store can't be asked, since then. */
    long giveUpAt(long failingSince) {
        return (askedAt - failingSince > 0 ? askedAt : failingSince) + engine.timeoutNanos();
    }

    /** The request is over without a grant. */
    void notGranted(LockEvent.NotGranted.Cause cause, @Nullable Throwable failure) {
        if (!engine.listeners().isEmpty()) {
            Duration after = Duration.ofNanos(engine.now() - askedAt);
            engine.listeners()
                    .tell(
                            context,
                            (listener, its) -> listener.notGranted(
                                    new LockEvent.NotGranted(name, request.mode(), cause, after, failure, its)));
        }
    }

    /** What a snapshot shows of it. */
    LocalWaiter toLocal(Look look, int position) {
        return new LocalWaiter(
                request.mode().type(),
                name,
                request.mode(),
                request.permits(),
                owner.toLocal(),
                look.when(askedAt),
                waitNanos == FOREVER ? null : Duration.ofNanos(Math.max(0, askedAt + waitNanos - look.now())),
                position);
    }

    boolean isAnnounced() {
        return announced;
    }

    /** Tells the listeners that it has begun to wait. */
    void announce() {
        if (!announced) {
            announced = true;
            if (!engine.listeners().isEmpty()) {
                engine.listeners()
                        .tell(
                                context,
                                (listener, its) -> listener.waiting(new LockEvent.Waiting(name, request.mode(), its)));
            }
        }
    }
}
