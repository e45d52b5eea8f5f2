package io.holdfast;

import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.LockStore;
import io.holdfast.tck.SimulatedTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The in-memory store and its clients in simulated time. It is in this package for {@link Holdfast.Builder#time}, which is
 * not part of the API.
 */
public final class SimulatedMemory implements SimulatedTime {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "simulated-callback");
        thread.setDaemon(true);
        return thread;
    });

    /** The most of real time that callbacks are waited for: one may wait for something itself. */
    private static final long CALLBACKS_NANOS = 1_000_000_000;

    private record Task(long at, long order, Timer timer, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
    private final ReentrantLock passing = new ReentrantLock();
    private final AtomicInteger callbacks = new AtomicInteger();
    private volatile long now = 1_000_000_000_000L;
    private long order;
    private final MemoryStore store = new MemoryStore(new MemoryLocks(this::nanos), "memory in simulated time");

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public boolean pass(Duration time) {
        passing.lock();
        try {
            settle();
            boolean any = false;
            long end = now + time.toNanos();
            for (Task next = due(end); next != null; next = due(end)) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("the test is over");
                }
                now = Math.max(now, next.at);
                next.action.run();
                any = true;
                settle();
            }
            now = end;
            return any;
        } finally {
            passing.unlock();
        }
    }

    @Override
    public boolean isAtWork() {
        return callbacks.get() > 0;
    }

    private void settle() {
        long start = System.nanoTime();
        while (isAtWork() && System.nanoTime() - start < CALLBACKS_NANOS) {
            LockSupport.parkNanos(10_000);
        }
    }

    private Task due(long end) {
        synchronized (tasks) {
            Task next = tasks.peek();
            return next == null || next.at > end ? null : tasks.remove();
        }
    }

    @Override
    public LockStore newStore() {
        return store.another();
    }

    @Override
    public Holdfast.Builder newClient(LockStore of) {
        return Holdfast.builder().store(of).executor(this::call).time(this::nanos, new Timer());
    }

    private void call(Runnable task) {
        callbacks.incrementAndGet();
        THREADS.execute(() -> {
            try {
                task.run();
            } finally {
                callbacks.decrementAndGet();
            }
        });
    }

    /** The timer of one client. It has no thread: what is due runs in the thread that lets time pass. */
    private final class Timer extends ScheduledThreadPoolExecutor {

        Timer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
            synchronized (tasks) {
                if (isShutdown()) {
                    throw new RejectedExecutionException("the client is closed");
                }
                tasks.add(new Task(now + unit.toNanos(delay), order++, this, action));
            }
            return null; // a client takes no timer back
        }

        @Override
        public List<Runnable> shutdownNow() {
            synchronized (tasks) {
                tasks.removeIf(task -> task.timer == this);
                return super.shutdownNow();
            }
        }
    }
}
