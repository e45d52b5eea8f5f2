package io.holdfast.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A worker's first task: adds one to the shared counter as often as it can, with a lock or without. */
final class Counting {

    private static final int THREADS = 4;

    private final SharedData data;
    private final @Nullable DistributedLock lock;
    private final LongAdder updates = new LongAdder();
    private final LongAdder tokensOutOfOrder = new LongAdder();

    /** Counts without a lock. */
    Counting(SharedData data) {
        this.data = data;
        this.lock = null;
    }

    /** Counts under a lock. */
    Counting(SharedData data, DistributedLock lock) {
        this.data = data;
        this.lock = lock;
    }

    void run(Duration duration) throws Exception {
        long end = System.nanoTime() + duration.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> {
                while (System.nanoTime() < end) {
                    update();
                }
                return null;
            }));
        }
        threads.shutdown();
        while (!threads.awaitTermination(100, TimeUnit.MILLISECONDS)) {
            Report.say("made", updates.sum());
        }
        for (Future<?> thread : running) {
            thread.get(); // throws what it threw
        }
        Report.say("counted", updates.sum(), tokensOutOfOrder.sum());
    }

    private void update() throws InterruptedException {
        if (lock == null) {
            data.addOne(0);
        } else {
            try (Lease lease = lock.acquire()) {
                if (!data.addOne(lease.token())) {
                    tokensOutOfOrder.increment();
                }
            }
        }
        updates.increment();
    }
}
