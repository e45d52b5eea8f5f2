package io.holdfast.bench.worker;

import java.util.List;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** One process has a lock all the time, another one asks for it without waiting. */
final class BusyTask implements Task {

    private final Assignment assignment;
    private final Marks marks;
    private @Nullable Lock lock;

    BusyTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
    }

    @Override
    public void prepare() {
        Lock busy = assignment.open(true).lock(assignment.name(0));
        if (assignment.process() == 0) {
            busy.lock();
        }
        lock = busy;
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        Lock busy = lock;
        if (busy == null) {
            throw new IllegalStateException("not prepared");
        }
        if (assignment.process() == 0) {
            return new Findings();
        }
        Tally tally = new Tally(window);
        while (true) {
            long begin = System.nanoTime();
            if (window.isOver(begin)) {
                // Nothing was entered.
                return Tally.sum(List.of(tally)).put(Findings.ENTERED, 0);
            }
            if (busy.tryLock()) {
                marks.breach();
            }
            tally.add(begin, System.nanoTime());
        }
    }
}
