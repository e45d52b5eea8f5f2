package io.holdfast.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on whichever thread brings one while none is running. Nobody blocks: a thread that
 * finds the strand busy leaves its task there and goes. What the tasks share needs no other protection.
 */
final class Strand {

    private static final Logger log = LoggerFactory.getLogger(Strand.class);

    private static final VarHandle PENDING;
    private static final VarHandle TASKS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PENDING = lookup.findVarHandle(Strand.class, "pending", int.class);
            TASKS = lookup.findVarHandle(Strand.class, "tasks", Queue.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** How many tasks are left here, and the one that runs. */
    private volatile int pending;

    /** Made when a task is left for the first time: most strands are never found busy, and there are many of them. */
    private volatile @Nullable Queue<Runnable> tasks;

    void execute(Runnable task) {
        if (tryEnter()) {
            run(task);
            exit();
            return;
        }
        tasks().add(task);
        if ((int) PENDING.getAndAdd(this, 1) == 0) {
            runNext();
            exit();
        }
    }

    /**
     * Whether the caller now runs alone, without waiting for it; then it must {@link #exit}. For a short step that can be
     * done in another way if this is false.
     */
    boolean tryEnter() {
        return pending == 0 && PENDING.compareAndSet(this, 0, 1);
    }

    /** Ends what {@link #tryEnter} began; what others have left meanwhile runs here. */
    void exit() {
        while ((int) PENDING.getAndAdd(this, -1) > 1) {
            runNext();
        }
    }

    /** A task is left before it is counted, so there is one. */
    private void runNext() {
        run(tasks().remove());
    }

    private Queue<Runnable> tasks() {
        Queue<Runnable> known = tasks;
        if (known == null) {
            TASKS.compareAndSet(this, null, new ConcurrentLinkedQueue<Runnable>());
            known = Objects.requireNonNull(tasks);
        }
        return known;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("a step of the lock engine failed; please report it", e);
        }
    }
}
