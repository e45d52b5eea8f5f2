package io.holdfast.internal.queue;

import io.holdfast.LockEvent;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.store.Await;
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

    /** Parks until it is decided. */
    default @Nullable HeldLease await() {
        return confirmed(Await.uninterruptibly(result()));
    }

    /** Parks until it is decided; an interrupt leaves nothing behind. */
    default @Nullable HeldLease awaitInterruptibly() throws InterruptedException {
        try {
            return confirmed(Await.interruptibly(result()));
        } catch (InterruptedException e) {
            CompletableFuture<Void> left = withdraw(LockEvent.NotGranted.Cause.INTERRUPTED);
            HeldLease held = result().isCompletedExceptionally() ? null : result().getNow(null);
            Await.briefly(held == null ? left : held.cancel()); // or granted and interrupted at once
            throw e;
        }
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
        result().whenComplete((held, failure) -> engine.execute(() -> user.decided(held, failure, toResult)));
        user.whenComplete((value, failure) -> withdraw(LockEvent.NotGranted.Cause.CANCELLED));
        return user;
    }
}
