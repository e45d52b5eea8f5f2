package io.holdfast.bench.worker;

import java.util.concurrent.locks.Lock;

/** From connecting to the first lock, in a JVM that has loaded none of the library's classes yet. */
final class StartupTask implements Task {

    private final Assignment assignment;
    private final Marks marks;

    StartupTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
    }

    @Override
    public void prepare() {}

    @Override
    public Findings run(Window window) {
        long begin = System.nanoTime();
        Lock lock = assignment.open(false).lock(assignment.name(0));
        long took;
        lock.lock();
        try {
            took = System.nanoTime() - begin;
            long entered = marks.enter(0, 1);
            if (assignment.open(false).lock(assignment.name(0)).tryLock()) { // another client, after the clock
                marks.breach();
            }
            marks.leave(0, 1, entered);
        } finally {
            lock.unlock();
        }
        return new Findings().put(Findings.ENTERED, 1).put(Findings.COUNTED, 1).put(Findings.TOOK, took);
    }
}
