package io.holdfast.quorum;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The real surroundings: the machine's clock, and one thread for what is to happen later. */
final class Machine implements Surroundings {

    private final ScheduledThreadPoolExecutor timer;

    Machine() {
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "holdfast-quorum");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
        try {
            Future<?> scheduled = timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
