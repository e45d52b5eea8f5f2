package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A hold that one thread waits for, or {@code null} if it is not had in time. The thread is parked and woken without anything
 * being made for it, and can be told that its turn is near: then it gets up in time, and does not go back to sleep at once.
 * Where a lock passes from thread to thread, most of the time would otherwise go into waking them one after the other. It is
 * completed by {@link #complete} and {@link #completeExceptionally} alone: nothing else wakes the thread.
 */
final class Promise extends CompletableFuture<@Nullable Hold> {

    /** Some microseconds: about as long as it takes to wake a thread. */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 200 : 0;

    private volatile @Nullable Thread waiting;
    private volatile boolean near;

    @Override
    public boolean complete(@Nullable Hold value) {
        boolean first = super.complete(value);
        wake();
        return first;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean first = super.completeExceptionally(failure);
        wake();
        return first;
    }

    /** It will be completed in a moment, unless things go otherwise. */
    void isNear() {
        near = true;
        wake();
    }

    private void wake() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits for it; only one thread at a time may. */
    @Override
    public @Nullable Hold get() throws InterruptedException, ExecutionException {
        // A worker of a pool waits as the pool wants it to.
        if (!isDone() && !(Thread.currentThread() instanceof ForkJoinWorkerThread)) {
            waiting = Thread.currentThread();
            try {
                park();
            } finally {
                waiting = null;
            }
        }
        return super.get();
    }

    private void park() throws InterruptedException {
        while (!isDone()) {
            for (int i = 0; near && i < SPINS && !isDone(); i++) {
                Thread.onSpinWait();
            }
            near = false;
            if (!isDone()) {
                LockSupport.park(this);
                if (!isDone() && Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }
}
