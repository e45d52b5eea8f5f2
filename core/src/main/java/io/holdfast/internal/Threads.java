package io.holdfast.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a client: one for its timers, and callback threads while there is something to call. */
final class Threads {

    private Threads() {}

    @SuppressWarnings("deprecation") // threadId() is Java 19; a thread class that overrides getId() is on its own
    static long id(Thread thread) {
        return thread.getId();
    }

    static ScheduledThreadPoolExecutor timer(String client) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("holdfast-timer-" + client));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /** As many as there are callbacks at once: one that blocks must not hold up the next. */
    static ExecutorService callbacks(String client) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                named("holdfast-callback-" + client));
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
