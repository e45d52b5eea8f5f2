package io.holdfast.internal.queue;

import io.holdfast.internal.claim.HeldLease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a caller of an asynchronous method gets. The engine and the caller, which may cancel it, race for it, and the winner is
 * known before it is completed: the hold counts as held exactly when the engine has won, before the stages that depend on the
 * future run.
 */
final class CallerFuture<T> extends CompletableFuture<T> {

    private final AtomicBoolean decided = new AtomicBoolean();

    /** The engine has the answer. */
    void decided(@Nullable HeldLease held, @Nullable Throwable failure, Function<@Nullable HeldLease, T> toResult) {
        if (!decided.compareAndSet(false, true)) {
            if (held != null) {
                held.cancel();
            }
        } else if (failure != null) {
            super.completeExceptionally(failure);
        } else {
            if (held != null) {
                held.confirm();
            }
            if (!super.complete(toResult.apply(held)) && held != null) {
                held.undo(); // completed in a way that can't be overridden, as by completeAsync
            }
        }
    }

    @Override
    public boolean complete(T value) {
        return decided.compareAndSet(false, true) && super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return decided.compareAndSet(false, true) && super.completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return decided.compareAndSet(false, true) ? super.cancel(mayInterrupt) : isCancelled();
    }
}
