package io.holdfast.internal.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on a thread that brings one while none is running. No thread blocks: one that
 * finds the strand busy leaves its task there and goes on. What the tasks share needs no other protection.
 */
public class Strand {

    private static final Logger log = LoggerFactory.getLogger(Strand.class);

    /** A task that was left, after that one. */
    private static final class Left {

        final Runnable task;

        @Nullable
        Left next;

        Left(Runnable task) {
            this.task = task;
        }
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Strand.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * {@code null}: idle; {@code this}: running, with no task left behind; a {@link Left}: running, the task that was left last.
     * A strand may be old, and a reference to itself is one that no garbage collector has to note.
     */
    private volatile @Nullable Object state;

    public final void execute(Runnable task) {
        if (tryEnter() || !leave(new Left(task))) {
            run(task);
            exit();
        }
    }

    /**
     * Whether the caller now runs alone, without waiting for it; then it must {@link #exit}. For a short step that can be
     * done in another way if this is false.
     */
    public final boolean tryEnter() {
        return state == null && STATE.compareAndSet(this, null, this);
    }

    /** Ends what {@link #tryEnter} began; tasks that were left meanwhile run here. */
    public final void exit() {
        while (!STATE.compareAndSet(this, this, null)) {
            for (Left next = inOrder((Left) STATE.getAndSet(this, this)); next != null; next = next.next) {
                run(next.task);
            }
        }
    }

    /** Leaves the task to the running thread; false if none runs any more, and then the caller does. */
    private boolean leave(Left task) {
        while (true) {
            Object others = state;
            if (others == null) {
                if (STATE.compareAndSet(this, null, this)) {
                    return false;
                }
            } else {
                task.next = others instanceof Left last ? last : null;
                if (STATE.compareAndSet(this, others, task)) {
                    return true;
                }
            }
        }
    }

    private static @Nullable Left inOrder(Left last) {
        Left first = null;
        Left each = last;
        while (each != null) {
            Left earlier = each.next;
            each.next = first;
            first = each;
            each = earlier;
        }
        return first;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A step of the lock engine failed; please report it", e);
        }
    }
}
