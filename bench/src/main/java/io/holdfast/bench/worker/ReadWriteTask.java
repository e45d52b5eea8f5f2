package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/** Threads that read most of the time and write now and then, in an order that is random and the same for every contestant. */
final class ReadWriteTask implements Task {

    private static final int READS_OF_HUNDRED = 95;

    private final Assignment assignment;
    private final Marks marks;
    private @Nullable ReadWriteLock lock;

    ReadWriteTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
    }

    @Override
    public void prepare() {
        LockClient client = assignment.open(false);
        ReadWriteLock other = client.readWriteLock(assignment.name(1 + assignment.process()));
        Warmth.of(other.readLock());
        Warmth.of(other.writeLock());
        lock = client.readWriteLock(assignment.name(0));
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        ReadWriteLock shared = lock;
        if (shared == null) {
            throw new IllegalStateException("not prepared");
        }
        List<Tally> reads = new ArrayList<>();
        List<Tally> writes = new ArrayList<>();
        Crowd crowd = new Crowd((int) assignment.number(Assignment.THREADS, 1), number -> {
            Tally read = new Tally(window);
            Tally written = new Tally(window);
            reads.add(read);
            writes.add(written);
            return () -> loop(shared, number, window, read, written);
        });
        crowd.start();
        long cpu = Cpu.usedWithin(window);
        crowd.join(window);
        Findings readings = Tally.sum(reads);
        Findings writings = Tally.sum(writes);
        // Only what writers did is counted under the lock, too.
        return writings.put(Findings.WRITTEN, writings.get(Findings.COUNTED))
                .put(Findings.LONGEST_WRITE, writings.latencies().getMaxValue())
                .put(Findings.COUNTED, readings.get(Findings.COUNTED) + writings.get(Findings.COUNTED))
                .put(Findings.CPU, cpu)
                .latencies(readings.latencies());
    }

    private void loop(ReadWriteLock shared, int thread, Window window, Tally reads, Tally writes) {
        long me = (assignment.process() + 1) * 1_000_000L + thread;
        SplittableRandom random = new SplittableRandom(me);
        for (long begin = System.nanoTime(); !window.isOver(begin); begin = System.nanoTime()) {
            if (random.nextInt(100) < READS_OF_HUNDRED) {
                shared.readLock().lock();
                try {
                    marks.leaveReading(0, marks.enterReading(0));
                } finally {
                    shared.readLock().unlock();
                }
                reads.add(begin, System.nanoTime());
            } else {
                shared.writeLock().lock();
                try {
                    marks.leave(0, me, marks.enter(0, me));
                } finally {
                    shared.writeLock().unlock();
                }
                writes.add(begin, System.nanoTime());
            }
        }
    }
}
