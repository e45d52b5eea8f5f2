package io.holdfast.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Keeps the requests of this store back for a moment when a lock is left free for clients that know nothing of the queue, like
 * Redisson's: such a client needs a round trip and the waking of a thread until it asks, and gets the lock only if it is free.
 */
final class BackOff {

    private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

    private final ScheduledExecutorService scheduler;

    /** By the name of a lock that this store has left free, until when. */
    private final Map<String, Long> leftFree = new ConcurrentHashMap<>();

    BackOff(ScheduledExecutorService scheduler) {
        this.scheduler = scheduler;
    }

    /** The lock was left free just now: the next claims of this store come later. */
    void leftFree(String name) {
        Long until = System.nanoTime() + PAUSE_NANOS;
        leftFree.put(name, until);
        later(PAUSE_NANOS, () -> leftFree.remove(name, until));
    }

    /** Sends a claim for a lock, in a moment if that was left free just now. */
    <T> CompletableFuture<T> send(String name, Supplier<CompletableFuture<T>> claim) {
        Long until = leftFree.isEmpty() ? null : leftFree.get(name);
        long pause = until == null ? 0 : until - System.nanoTime();
        if (pause <= 0) {
            return claim.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        later(
                pause,
                () -> claim.get().whenComplete((answer, failure) -> {
                    if (failure == null) {
                        result.complete(answer);
                    } else {
                        result.completeExceptionally(failure);
                    }
                }));
        return result;
    }

    /** A lock was left free by another client, and a claim of this store is next: {@code called} runs in a moment. */
    void later(Runnable called) {
        later(PAUSE_NANOS, called);
    }

    private void later(long nanos, Runnable action) {
        try {
            scheduler.schedule(action, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            action.run(); // the store is closed, and says so
        }
    }
}
