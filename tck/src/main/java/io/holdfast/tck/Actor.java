package io.holdfast.tck;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A thread that runs the given actions, one after the other: an actor in the story of a test. */
final class Actor implements AutoCloseable {

    private final ExecutorService executor;
    private volatile @Nullable Thread thread;
    private volatile boolean busy;
    private final AtomicInteger unfinished = new AtomicInteger();

    /** @param pace of the test that it is in */
    Actor(String name, Pace pace) {
        executor = Executors.newSingleThreadExecutor(task -> {
            Runnable inPace = () -> {
                pace.begin();
                task.run();
            };
            Thread made = new Thread(inPace, "tck-" + name);
            made.setDaemon(true);
            thread = made;
            return made;
        });
    }

    /** Something to do that has no result. */
    interface Step {
        void run() throws Exception;
    }

    /** Begins something that may take its time. */
    <T extends @Nullable Object> Future<T> begins(Callable<T> task) {
        unfinished.incrementAndGet();
        return executor.submit(() -> {
            busy = true;
            try {
                return task.call();
            } finally {
                busy = false;
                unfinished.decrementAndGet();
            }
        });
    }

    /** Begins something that has no result. */
    Future<?> starts(Step step) {
        return begins(() -> {
            step.run();
            return null;
        });
    }

    /** Does something and says what came of it. */
    <T extends @Nullable Object> T gets(Callable<T> task) throws Exception {
        return Contract.await(begins(task));
    }

    /** Does something to its end. */
    void does(Step step) throws Exception {
        Contract.await(starts(step));
    }

    /** Whether it is in the middle of something, and stands still. */
    boolean isWaiting() {
        Thread current = thread;
        if (!busy || current == null) {
            return false;
        }
        Thread.State state = current.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** Whether it has something to do, which it may stand still in. */
    boolean isBusy() {
        return unfinished.get() > 0;
    }

    /** Whether it has something to do, and does not stand still. */
    boolean isAtWork() {
        return isBusy() && !isWaiting();
    }

    void interrupt() {
        Thread current = thread;
        if (current != null) {
            current.interrupt();
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
