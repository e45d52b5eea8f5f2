package io.holdfast.internal.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs what is to be done on a loss. An outage can end all leases of a client at once, so where each action needs a thread
 * of the system, some hundred run at a time and the rest wait for these. Nothing else waits: what completes the futures of
 * callers does not come through here, so an action may block on one.
 */
final class LossCallbacks {

    private final Executor executor;
    private final int most;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile @Nullable Runnable whenIdle;

    /** @param most how many run at the same time */
    LossCallbacks(Executor executor, int most) {
        this.executor = executor;
        this.most = most;
    }

    void run(Runnable action) {
        waiting.add(action);
        start();
    }

    /** Runs that once nothing is to be done any more. */
    void whenIdle(Runnable action) {
        whenIdle = action;
        runIfIdle();
    }

    private void start() {
        int now = running.get();
        while (now < most) {
            if (running.compareAndSet(now, now + 1)) {
                executor.execute(this::runOne);
                return;
            }
            now = running.get();
        }
    }

    private void runOne() {
        Runnable next = waiting.poll();
        if (next != null) {
            next.run();
        }
        if (waiting.isEmpty()) {
            running.decrementAndGet();
            if (!waiting.isEmpty()) {
                start(); // it came in between
            }
            runIfIdle();
        } else {
            executor.execute(this::runOne); // an executor of few threads is not kept from its other tasks
        }
    }

    private void runIfIdle() {
        Runnable action = whenIdle;
        if (action != null && running.get() == 0 && waiting.isEmpty()) {
            action.run();
        }
    }
}
