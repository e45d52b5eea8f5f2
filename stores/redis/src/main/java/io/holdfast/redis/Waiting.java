package io.holdfast.redis;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The users that wait for the same thing, which they get in the order in which they came; a future alone would serve the last one
 * first. A user that comes while the others are served waits behind them: a release must not be sent before its claim. If the
 * thing failed, such a user did not wait for it yet, and it is tried again.
 */
final class Waiting<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<User<T>> users = new ArrayDeque<>();
    private volatile boolean any;

    /** @param thing begins to wait for it */
    private record User<T>(BiConsumer<@Nullable T, @Nullable Throwable> then, Supplier<CompletableFuture<T>> thing) {}

    boolean isEmpty() {
        return !any;
    }

    /**
     * Hands over the thing, or what it failed with, when its turn has come.
     *
     * @param thing begins to wait for it, if no user does yet
     */
    void add(BiConsumer<@Nullable T, @Nullable Throwable> user, Supplier<CompletableFuture<T>> thing) {
        boolean first;
        lock.lock();
        try {
            users.add(new User<>(user, thing));
            first = !any;
            any = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            await(thing);
        }
    }

    private void await(Supplier<CompletableFuture<T>> thing) {
        thing.get().whenComplete(this::serve);
    }

    private void serve(@Nullable T it, @Nullable Throwable failure) {
        int failed = failure == null ? Integer.MAX_VALUE : waiting();
        User<T> next;
        while (true) {
            lock.lock();
            try {
                next = failed == 0 ? users.peek() : users.poll();
                any = next != null;
            } finally {
                lock.unlock();
            }
            if (next == null) {
                return;
            }
            if (failed == 0) {
                break;
            }
            failed--;
            next.then.accept(it, failure);
        }
        await(next.thing);
    }

    private int waiting() {
        lock.lock();
        try {
            return users.size();
        } finally {
            lock.unlock();
        }
    }
}
