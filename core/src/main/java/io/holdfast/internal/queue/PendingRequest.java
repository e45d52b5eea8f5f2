package io.holdfast.internal.queue;

import io.holdfast.LockEvent;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.event.Flight;
import io.holdfast.internal.store.Await;
import io.holdfast.spi.Mode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that is under way, as its caller sees it. */
public interface PendingRequest {

    /** The hold, or {@code null} if it was not had in time. */
    CompletableFuture<? extends @Nullable HeldLease> result();

    /**
     * The caller has left. What was granted by then is still the caller's to release.
     *
     * @param cause why, for the listeners
     * @return completes when the store knows that the caller does not wait
     */
    CompletableFuture<Void> withdraw(LockEvent.NotGranted.Cause cause);

    /** What it asks for, for the flight recorder. */
    String name();

    /** How it asks for it. */
    Mode mode();

    /** The wait, if the flight recorder wants it. */
    @Nullable
    Object recording();

    /** Parks until it is decided. */
    default @Nullable HeldLease await() {
        Object recording = recording();
        if (recording == null) {
            return confirmed(Await.uninterruptibly(result()));
        }
        try {
            return confirmed(Await.uninterruptibly(result()));
        } finally {
            record(recording, null, Thread.currentThread().getName());
        }
    }

    /** Parks until it is decided; an interrupt leaves nothing behind. */
    default @Nullable HeldLease awaitInterruptibly() throws InterruptedException {
        Object recording = recording();
        String outcome = null;
        try {
            return confirmed(Await.interruptibly(result()));
        } catch (InterruptedException e) {
            outcome = "interrupted";
            CompletableFuture<Void> left = withdraw(LockEvent.NotGranted.Cause.INTERRUPTED);
            HeldLease held = result().isCompletedExceptionally() ? null : result().getNow(null);
            Await.briefly(held == null ? left : held.cancel()); // or granted and interrupted at once
            throw e;
        } finally {
            if (recording != null) {
                record(recording, outcome, Thread.currentThread().getName());
            }
        }
    }

    /** Tells the flight recorder how it ended, in the thread that waited, or in the one that completes the future. */
    private void record(Object recording, @Nullable String outcome, String requester) {
        boolean asynchronous = !requester.equals(Thread.currentThread().getName());
        HeldLease held = result().isDone() && !result().isCompletedExceptionally() ? result().join() : null;
        String how = outcome;
        if (how == null) {
            how = result().isCompletedExceptionally() ? "error" : held == null ? "timeout" : "granted";
        }
        Flight.waitEnds(recording, name(), mode(), how, held == null ? 0 : held.token(), asynchronous, requester);
    }

    private static @Nullable HeldLease confirmed(@Nullable HeldLease held) {
        if (held != null) {
            held.confirm();
        }
        return held;
    }

    /** A future for the caller. The engine or the caller completes it first, and the other side follows. */
    default <T> CompletableFuture<T> future(QueueContext engine, Function<@Nullable HeldLease, T> toResult) {
        CallerFuture<T> user = new CallerFuture<>();
        Object recording = recording();
        if (recording != null) {
            String requester = Thread.currentThread().getName();
            result().whenComplete(
                            (held, failure) -> record(recording, user.isCancelled() ? "cancelled" : null, requester));
        }
        result().whenComplete((held, failure) -> engine.execute(() -> user.decided(held, failure, toResult)));
        user.whenComplete((value, failure) -> withdraw(LockEvent.NotGranted.Cause.CANCELLED));
        return user;
    }
}
