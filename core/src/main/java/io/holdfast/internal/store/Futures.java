package io.holdfast.internal.store;

import io.holdfast.LeaseLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Futures of steps that need no waiting, and of several steps as one. */
public final class Futures {

    /** Completed: there is nothing that the store has to know. */
    public static final CompletableFuture<Void> KNOWN = CompletableFuture.completedFuture(null);

    private Futures() {}

    /** Fails as one of them did; a loss is told rather than that the store did not confirm something else. */
    public static CompletableFuture<Void> allOf(List<CompletableFuture<Void>> steps) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new)).whenComplete((nothing, failure) -> {
            if (failure == null) {
                done.complete(null);
            } else {
                Throwable loss = lossIn(steps);
                done.completeExceptionally(loss != null ? loss : Failures.unwrapped(failure));
            }
        });
        return done;
    }

    private static @Nullable Throwable lossIn(List<CompletableFuture<Void>> steps) {
        for (CompletableFuture<Void> step : steps) {
            Throwable failure = step.handle((nothing, its) -> its).join();
            if (failure != null && Failures.unwrapped(failure) instanceof LeaseLostException loss) {
                return loss;
            }
        }
        return null;
    }
}
