package io.holdfast.internal.store;

import io.holdfast.ClientClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.NotReplicatedException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Parks a calling thread on the asynchronous engine. */
final class Await {

    private Await() {}

    /** Waits through interrupts and keeps the flag. */
    static <T> T uninterruptibly(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw forCaller(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw forCaller(e);
        }
    }

    /** Waits for something that must not take long, and no longer than that. */
    static void briefly(CompletableFuture<?> future) {
        try {
            future.get(Tuning.UNANSWERED_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // It goes on without this thread.
        }
    }

    /** The failure with the caller's own stack trace; several callers may share the original. */
    private static RuntimeException forCaller(ExecutionException execution) {
        Throwable failure = Objects.requireNonNull(execution.getCause());
        String message = String.valueOf(failure.getMessage());
        HoldfastException copy;
        if (failure instanceof LeaseLostException) {
            copy = new LeaseLostException(message);
        } else if (failure instanceof ClientClosedException) {
            copy = new ClientClosedException(message);
        } else if (failure instanceof StoreUnavailableException) {
            copy = new StoreUnavailableException(message);
        } else if (failure instanceof NotReplicatedException) {
            copy = new NotReplicatedException(message);
        } else if (failure instanceof StoreRefusedException refused) {
            copy = new StoreRefusedException(message, refused.retryable());
        } else if (failure instanceof HoldfastException other) {
            copy = new HoldfastException(message, other.retryable());
        } else {
            return new CompletionException(message, failure);
        }
        copy.initCause(Failures.cause(failure)); // the original says the same
        return copy;
    }
}
