package io.holdfast.internal.queue;

import io.holdfast.ClientClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.LockEvent.NotGranted;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.event.Flight;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A hold that one thread waits for, or {@code null} if it is not had in time. The thread is parked and woken without anything
 * being made for it. It can be called before there is anything to have: then it wakes up, says so, and does not go back to
 * sleep at once. It is completed by {@link #complete} and {@link #completeExceptionally} alone: nothing else wakes the thread.
 */
public final class WaiterFuture extends CompletableFuture<@Nullable Hold> {

    private final Waiter waiter;

    /** The wait, if the flight recorder wants it: it begins here, before the store is asked. */
    final @Nullable Object recording = Flight.waitBegins();

    private volatile @Nullable Thread waiting;
    private volatile boolean woken;

    /** Stands for a thread, where there is none. */
    private @Nullable Runnable sleeper;

    /** @param waiter whose it is; hears that the thread is awake */
    WaiterFuture(Waiter waiter) {
        this.waiter = waiter;
    }

    @Override
    public boolean complete(@Nullable Hold value) {
        return value == null ? endWith(NotGranted.Cause.TIMED_OUT) : first(super.complete(value));
    }

    /** Ends it without a hold; false if it was decided before. */
    public boolean endWith(NotGranted.Cause cause) {
        boolean first = super.complete(null);
        if (first) {
            waiter.notGranted(cause, null);
        }
        return first(first);
    }

    private boolean first(boolean first) {
        wake(waiting);
        return first;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean first = super.completeExceptionally(failure);
        if (first) {
            boolean refused = failure instanceof HoldfastException known
                    && !known.retryable()
                    && !(failure instanceof ClientClosedException);
            waiter.notGranted(refused ? NotGranted.Cause.REFUSED : NotGranted.Cause.FAILED, failure);
        }
        return first(first);
    }

    /** Wakes the thread that waits; false if there is none, or it has not gone to sleep yet. */
    boolean tryWake() {
        Thread thread = waiting;
        Runnable other = sleeper;
        if (!woken && (thread != null || other != null)) {
            woken = true;
            wake(thread);
            if (other != null) {
                other.run();
            }
        }
        return thread != null || other != null;
    }

    /** From now on something that is no thread waits; it runs that when it is woken. */
    public void sleep(Runnable whenWoken) {
        sleeper = whenWoken;
    }

    private static void wake(@Nullable Thread thread) {
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Waits for it; only one thread at a time may. */
    @Override
    public @Nullable Hold get() throws InterruptedException, ExecutionException {
        // A worker of a pool waits as the pool wants it to.
        if (isDone() || Thread.currentThread() instanceof ForkJoinWorkerThread) {
            return super.get();
        }
        waiting = Thread.currentThread();
        try {
            park();
        } finally {
            waiting = null;
        }
        Hold had = super.get();
        if (had != null) {
            waiter.has(had);
        }
        return had;
    }

    private void park() throws InterruptedException {
        while (!isDone()) {
            if (woken) {
                woken = false;
                waiter.wokeUp();
                for (int i = 0; i < Tuning.WAKE_SPINS && !isDone(); i++) {
                    Thread.onSpinWait();
                }
            }
            if (!isDone()) {
                LockSupport.park(this);
                if (!isDone() && Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }
}
