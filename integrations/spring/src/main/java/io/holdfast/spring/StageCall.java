package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that returns a stage, under its locks, which are held until the stage has completed. The body runs on the callback
 * executor of the client once the locks are granted. Cancelling the result while it waits gives up waiting; once the body runs, the
 * locks stay until its stage has completed, since cancelling a stage does not stop the work behind it.
 */
final class StageCall {

    private StageCall() {}

    static <T, E extends Throwable> CompletableFuture<@Nullable T> run(
            List<LockTarget> targets,
            LockSettings settings,
            LockedAction<? extends CompletionStage<T>, E> action,
            Supplier<@Nullable T> skipped) {
        Locking.checkScope(targets, true);
        CompletableFuture<Void> completed = LockedCall.joinsTransaction(targets, settings)
                ? TransactionEnd.future()
                : CompletableFuture.completedFuture(null);
        CompletableFuture<@Nullable T> result = new CompletableFuture<>();
        CompletableFuture<@Nullable Lease> acquisition = Locking.acquireAsync(targets, settings);
        result.whenComplete(
                (value, failure) -> acquisition.cancel(false)); // without effect unless it is still under way
        acquisition.whenComplete((lease, failure) -> {
            if (failure != null) {
                result.completeExceptionally(cause(failure));
            } else if (lease != null) {
                Held held = new Held(targets, lease, Held.Release.of(lease), settings, true);
                if (result.isDone()) {
                    held.releaseAsync();
                } else {
                    body(held, settings, action, result, completed);
                }
            } else if (settings.skips()) {
                result.complete(skipped.get());
            } else {
                result.completeExceptionally(Locking.busy(targets, settings));
            }
        });
        return result;
    }

    private static <T, E extends Throwable> void body(
            Held held,
            LockSettings settings,
            LockedAction<? extends CompletionStage<T>, E> action,
            CompletableFuture<@Nullable T> result,
            CompletableFuture<Void> transaction) {
        CompletionStage<T> stage;
        Interruption interruption = Interruption.when(settings.onLost(), held.lease());
        LockScope.enter(held);
        try {
            @Nullable CompletionStage<T> returned = action.run(held.lease());
            stage = returned == null
                    ? CompletableFuture.failedFuture(
                            new IllegalStateException("a method that is to return a CompletionStage returned null"))
                    : returned;
        } catch (Throwable failure) {
            stage = CompletableFuture.failedFuture(failure);
        } finally {
            LockScope.leave(held);
            interruption.end();
        }
        stage.whenComplete((value, failure) -> {
            if (transaction.isDone()) {
                held.releaseAsync()
                        .whenComplete((released, releaseFailure) -> end(result, value, failure, releaseFailure));
            } else { // its thread may wait for the result before it completes the transaction
                transaction.whenComplete((nothing, none) -> held.releaseAsync());
                end(result, value, failure, held.loss());
            }
        });
    }

    private static <T> void end(
            CompletableFuture<@Nullable T> result,
            @Nullable T value,
            @Nullable Throwable failure,
            @Nullable Throwable releaseFailure) {
        Throwable lost = Failures.cause(releaseFailure);
        if (failure != null) {
            Throwable cause = cause(failure);
            if (lost != null && lost != cause) {
                cause.addSuppressed(lost);
            }
            result.completeExceptionally(cause);
        } else if (lost instanceof LeaseLostException) {
            result.completeExceptionally(lost);
        } else {
            result.complete(value);
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = Failures.cause(failure);
        return cause == null ? failure : cause;
    }
}
