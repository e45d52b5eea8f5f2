package io.holdfast.redis;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for the same thing, which they get in the order in which they came; a future alone would serve the last one
 * first. Who comes while they are served waits behind them: a release must not be sent before its claim.
 */
final class Waiting<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<BiConsumer<@Nullable T, @Nullable Throwable>> users = new ArrayDeque<>();
    private volatile boolean any;

    boolean isEmpty() {
        return !any;
    }

    /**
     * Hands over the thing, or what it failed with, when its turn has come.
     *
     * @param thing begins to wait for it, if nobody does yet
     */
    void add(BiConsumer<@Nullable T, @Nullable Throwable> user, Supplier<CompletableFuture<T>> thing) {
        boolean first;
        lock.lock();
        try {
            users.add(user);
            first = !any;
            any = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            thing.get().whenComplete(this::serve);
        }
    }

    private void serve(@Nullable T thing, @Nullable Throwable failure) {
        while (true) {
            BiConsumer<@Nullable T, @Nullable Throwable> next;
            lock.lock();
            try {
                next = users.poll();
                if (next == null) {
                    any = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            next.accept(thing, failure);
        }
    }
}
