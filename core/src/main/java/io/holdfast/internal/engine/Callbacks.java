package io.holdfast.internal.engine;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.store.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what belongs to callers on their executor: listeners, loss callbacks, the continuations of futures. */
final class Callbacks {

    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);

    private final Executor executor;
    private final LossCallbacks losses;

    Callbacks(Executor executor) {
        this.executor = executor;
        this.losses = new LossCallbacks(
                this::execute, Threads.ARE_VIRTUAL ? Integer.MAX_VALUE : Tuning.LOSS_CALLBACKS_AT_ONCE);
    }

    /** Never in the calling thread, which is the timer's or the store's: an executor that refuses is passed over. */
    void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RuntimeException | Error e) {
            log.warn("The callback executor refused a task, which runs elsewhere: {}", e.toString());
            ForkJoinPool.commonPool().execute(task);
        }
    }

    /** Runs what a user wants to be done on a loss. */
    void onLoss(Runnable action) {
        losses.run(() -> {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                log.error("A callback failed", e);
            }
        });
    }

    /** Runs that when all loss callbacks have run. */
    void whenLossesAreTold(Runnable action) {
        losses.whenIdle(action);
    }

    /** The same future, whose continuations run on the executor. */
    <T> CompletableFuture<T> continued(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> execute(() -> {
            if (failure == null) {
                user.complete(value);
            } else {
                user.completeExceptionally(Failures.unwrapped(failure));
            }
        }));
        return user;
    }
}
