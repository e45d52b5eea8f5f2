package io.holdfast.redis;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.AsyncCloseable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is made when it is needed: for the first time, and again after it broke. Who asks while it is being
 * made waits for that one attempt; who asks after a failure causes the next, a little later than the last. So a server
 * that comes back is noticed by the next command, and one that is away is not run against by every thread.
 */
final class LazyConnection<C extends AsyncCloseable> {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Supplier<CompletionStage<C>> connect;
    private final Predicate<C> isOpen;
    private final ScheduledExecutorService scheduler;
    private final long timeoutMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Waiting<C> waiting = new Waiting<>();
    private volatile @Nullable CompletableFuture<C> current;
    private volatile long failedAt = System.nanoTime() - PAUSE_NANOS;
    private volatile boolean closed;

    /** @param timeout how long an attempt to connect may take in all */
    LazyConnection(
            Supplier<CompletionStage<C>> connect,
            Predicate<C> isOpen,
            ScheduledExecutorService scheduler,
            Duration timeout) {
        this.connect = connect;
        this.isOpen = isOpen;
        this.scheduler = scheduler;
        this.timeoutMillis = Math.max(1, timeout.toMillis());
    }

    /** The connection, now or once it is made. */
    CompletableFuture<C> get() {
        CompletableFuture<C> now = current;
        return now != null && isUsable(now) ? now : open();
    }

    /**
     * Hands over the connection, now or once it is made, or what it failed with, to each in the order in which they asked.
     */
    void use(BiConsumer<@Nullable C, @Nullable Throwable> user) {
        CompletableFuture<C> now = current;
        if (waiting.isEmpty() && now != null && now.isDone() && isUsable(now)) {
            user.accept(now.join(), null);
            return;
        }
        waiting.add(user, this::get);
    }

    /** The connection if there is one already. */
    @Nullable
    C now() {
        CompletableFuture<C> last = current;
        return last != null && last.isDone() && isUsable(last) ? last.join() : null;
    }

    /** Gives up this connection, so that the next command makes another. What it still had to answer fails. */
    void drop(C connection) {
        lock.lock();
        try {
            CompletableFuture<C> last = current;
            // Only once: Lettuce complains of the second time.
            if (last != null && last.isDone() && !last.isCompletedExceptionally() && last.join() == connection) {
                current = null;
                connection.closeAsync();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection for good; the answer comes when it is closed. */
    CompletableFuture<?> close() {
        lock.lock();
        try {
            closed = true;
            CompletableFuture<C> last = current;
            current = null;
            if (last == null) {
                return CompletableFuture.completedFuture(null);
            }
            // A connection that is made after this closes itself.
            last.completeExceptionally(new IllegalStateException("closed"));
            return end(last);
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<C> open() {
        lock.lock();
        try {
            CompletableFuture<C> last = current;
            if (closed) {
                return CompletableFuture.failedFuture(new IllegalStateException("closed"));
            }
            if (last != null) {
                if (isUsable(last)) {
                    return last;
                }
                // A client with options of its own may be reconnecting it; two of them would be one too many.
                end(last);
            }
            CompletableFuture<C> next = new CompletableFuture<>();
            current = next;
            start(next);
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void start(CompletableFuture<C> next) {
        long pause = PAUSE_NANOS - (System.nanoTime() - failedAt);
        if (pause <= 0) {
            connect(next);
            return;
        }
        try {
            scheduler.schedule(() -> connect(next), pause, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            next.completeExceptionally(e);
        }
    }

    private void connect(CompletableFuture<C> next) {
        CompletionStage<C> attempt;
        try {
            attempt = connect.get();
        } catch (RuntimeException e) {
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((connection, error) -> {
            if (error != null) {
                failedAt = System.nanoTime();
                next.completeExceptionally(error);
            } else if (!next.complete(connection)) {
                connection.closeAsync(); // even if it is broken already: of several connections one may not be
            }
        });
        if (!next.isDone()) {
            giveUpInTime(next);
        }
    }

    /** A peer that falls silent in the middle of the handshake must not keep everybody waiting. */
    private void giveUpInTime(CompletableFuture<C> next) {
        try {
            ScheduledFuture<?> limit = scheduler.schedule(
                    () -> {
                        if (next.completeExceptionally(
                                new RedisConnectionException("no connection in " + timeoutMillis + " ms"))) {
                            failedAt = System.nanoTime();
                        }
                    },
                    timeoutMillis,
                    TimeUnit.MILLISECONDS);
            next.whenComplete((connection, error) -> limit.cancel(false));
        } catch (RejectedExecutionException e) {
            next.completeExceptionally(e);
        }
    }

    private boolean isUsable(CompletableFuture<C> future) {
        return !future.isDone() || (!future.isCompletedExceptionally() && isOpen.test(future.join()));
    }

    private CompletableFuture<?> end(CompletableFuture<C> future) {
        return future.isDone() && !future.isCompletedExceptionally()
                ? future.join().closeAsync()
                : CompletableFuture.completedFuture(null);
    }
}
