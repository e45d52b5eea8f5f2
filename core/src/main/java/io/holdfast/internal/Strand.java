package io.holdfast.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in order, on whichever thread brings one while none is running. Nobody blocks: a thread that
 * finds the strand busy leaves its task there and goes. What the tasks share needs no other protection.
 */
final class Strand {

    private static final Logger log = LoggerFactory.getLogger(Strand.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();

    void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            do {
                run(tasks.remove());
            } while (pending.decrementAndGet() > 0);
        }
    }

    /**
     * Whether the caller now runs alone, without waiting for it; then it must {@link #exit}. For a short step that can be
     * done in another way if this is false.
     */
    boolean tryEnter() {
        return pending.compareAndSet(0, 1);
    }

    /** Ends what {@link #tryEnter} began; what others have left meanwhile runs here. */
    void exit() {
        while (pending.decrementAndGet() > 0) {
            run(tasks.remove());
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("a step of the lock engine failed; please report it", e);
        }
    }
}
