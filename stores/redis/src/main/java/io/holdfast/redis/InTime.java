package io.holdfast.redis;

import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** An answer that is waited for so long and no longer. */
final class InTime {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private InTime() {}

    /** @param late what is done besides when there is no answer in time */
    static <T> CompletableFuture<T> of(CompletionStage<T> answer, ScheduledExecutorService scheduler, Runnable late) {
        CompletableFuture<T> result = new CompletableFuture<>();
        answer.whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(error);
            }
        });
        if (result.isDone()) {
            return result;
        }
        try {
            ScheduledFuture<?> limit = scheduler.schedule(
                    () -> {
                        if (result.completeExceptionally(
                                new RedisConnectionException("no answer in " + PATIENCE.toMillis() + " ms"))) {
                            late.run();
                        }
                    },
                    PATIENCE.toMillis(),
                    TimeUnit.MILLISECONDS);
            result.whenComplete((value, error) -> limit.cancel(false));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(e);
        }
        return result;
    }
}
