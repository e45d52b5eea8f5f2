package io.holdfast.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on whichever thread brings one while none is running. Nobody blocks: a thread that
 * finds the strand busy leaves its task there and goes. What the tasks share needs no other protection.
 */
class Strand {

    private static final Logger log = LoggerFactory.getLogger(Strand.class);

    /** A task that was left, before those that were left earlier. */
    private static final class Left {

        final @Nullable Runnable task;

        @Nullable
        Left next;

        Left(@Nullable Runnable task) {
            this.task = task;
        }
    }

    private static final Left NONE = new Left(null);

    private static final VarHandle LEFT;

    static {
        try {
            LEFT = MethodHandles.lookup().findVarHandle(Strand.class, "left", Left.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The tasks that were left for whoever runs, the last one first; {@link #NONE} after them; null while nobody runs. */
    private volatile @Nullable Left left;

    final void execute(Runnable task) {
        if (tryEnter() || !leave(new Left(task))) {
            run(task);
            exit();
        }
    }

    /**
     * Whether the caller now runs alone, without waiting for it; then it must {@link #exit}. For a short step that can be
     * done in another way if this is false.
     */
    final boolean tryEnter() {
        return left == null && LEFT.compareAndSet(this, null, NONE);
    }

    /** Ends what {@link #tryEnter} began; what others have left meanwhile runs here. */
    final void exit() {
        while (!LEFT.compareAndSet(this, NONE, null)) {
            Left next = inOrder((Left) LEFT.getAndSet(this, NONE));
            while (next != null) {
                if (next.task != null) {
                    run(next.task);
                }
                next = next.next;
            }
        }
    }

    /** Leaves the task to whoever runs; if nobody does any more, the caller does. */
    private boolean leave(Left task) {
        while (true) {
            Left others = left;
            if (others == null) {
                if (LEFT.compareAndSet(this, null, NONE)) {
                    return false;
                }
            } else {
                task.next = others;
                if (LEFT.compareAndSet(this, others, task)) {
                    return true;
                }
            }
        }
    }

    private static @Nullable Left inOrder(Left last) {
        Left first = null;
        Left each = last;
        while (each != null && each != NONE) {
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
            log.error("a step of the lock engine failed; please report it", e);
        }
    }
}
