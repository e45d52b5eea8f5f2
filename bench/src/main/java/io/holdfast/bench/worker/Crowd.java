package io.holdfast.bench.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Threads that all do the same until the time is over. */
final class Crowd {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    /** What a thread does. */
    interface Loop {
        void run() throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /**
     * So many threads, each with what it is given by its number.
     *
     * @param loops what the thread of that number does
     */
    Crowd(int size, IntFunction<Loop> loops) {
        for (int i = 0; i < size; i++) {
            Loop loop = loops.apply(i);
            Thread thread = new Thread(() -> attempt(loop), "bench-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    private void attempt(Loop loop) {
        try {
            loop.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /**
     * Waits until all of them have stopped, which they should soon after the window is over.
     *
     * @throws IllegalStateException if one failed, or still waits for a lock
     */
    void join(Window window) throws InterruptedException {
        for (Thread thread : threads) {
            long left = window.to() + PATIENCE - System.nanoTime();
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            if (thread.isAlive()) {
                failure.compareAndSet(null, new IllegalStateException(stuck()));
            }
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException(failed.toString(), failed);
        }
    }

    private String stuck() {
        long alive = threads.stream().filter(Thread::isAlive).count();
        return alive + " of " + threads.size() + " threads still wait, long after everybody has stopped";
    }
}
