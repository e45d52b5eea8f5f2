package io.holdfast.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for the database in place of those who ask. Renewals have their own, so that however many claims
 * are under way, no lock that is held is lost because of them; and so have renewals that somebody is in the way of.
 */
final class Lanes {

    /** What runs in a lane, or is told that it won't. */
    interface Task extends Runnable {
        void dropped();
    }

    /** As many as can wait for one commit together: what PostgreSQL writes to disk at once, it writes in one go. */
    static final int OWN_WORKERS = 16;

    static final int GIVEN_WORKERS = 4;
    static final int RENEWERS = 2;

    private static final int MOST_WAITING = 1 << 17;
    private static final AtomicInteger STORES = new AtomicInteger();

    private final int number = STORES.incrementAndGet();
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor renewer;
    private final ThreadPoolExecutor patientRenewer;
    private final List<ThreadPoolExecutor> all;

    Lanes(int workers) {
        this.workers = lane("worker", workers);
        this.renewer = lane("renewer", 1);
        this.patientRenewer = lane("patient-renewer", 1);
        this.all = List.of(this.workers, renewer, patientRenewer);
    }

    private ThreadPoolExecutor lane(String what, int threads) {
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor lane = new ThreadPoolExecutor(
                threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                    Thread thread =
                            new Thread(task, "holdfast-jdbc-" + number + "-" + what + "-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        lane.allowCoreThreadTimeOut(true);
        return lane;
    }

    void work(Task task) {
        run(workers, task);
    }

    void renew(Task task) {
        run(renewer, task);
    }

    void renewPatiently(Task task) {
        run(patientRenewer, task);
    }

    private static void run(ThreadPoolExecutor lane, Task task) {
        try {
            lane.execute(task);
        } catch (RejectedExecutionException e) {
            task.dropped();
        }
    }

    /** Drops what has not begun and lets the rest end. Nothing is interrupted: H2 would close its file. */
    void close() {
        for (ThreadPoolExecutor lane : all) {
            lane.shutdown();
            List<Runnable> waiting = new ArrayList<>();
            lane.getQueue().drainTo(waiting);
            waiting.forEach(task -> ((Task) task).dropped());
        }
    }

    /** Waits a moment for what is under way. */
    void awaitEnd(Duration moment) {
        long end = System.nanoTime() + moment.toNanos();
        boolean interrupted = false;
        for (ThreadPoolExecutor lane : all) {
            while (!lane.isTerminated() && System.nanoTime() - end < 0) {
                try {
                    lane.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
