package io.holdfast.bench.worker;

import io.holdfast.bench.contestant.LockClient;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Two processes pass a lock to and fro. In each round one process has it and the other waits for it; the holder notes the
 * time and releases it, and the other looks at the clock as soon as it has it. The clock is the same for both, see
 * {@link Window}. The releasing process does not ask again before the other has it, so neither is overtaken.
 */
final class HandoffTask implements Task {

    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long SLOW_DOWN = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Assignment assignment;
    private final Marks marks;
    private final int process;
    private final long me;
    private final SplittableRandom random;
    private @Nullable Lock lock;

    HandoffTask(Assignment assignment, Marks marks) {
        this.assignment = assignment;
        this.marks = marks;
        this.process = assignment.process();
        this.me = process + 1L;
        this.random = new SplittableRandom(process);
    }

    @Override
    public void prepare() {
        LockClient client = assignment.open(false);
        Warmth.of(client, assignment.name(1 + process));
        Lock first = client.lock(assignment.name(0));
        // The first has it from the start.
        if (process == 0) {
            first.lock();
        }
        lock = first;
    }

    @Override
    public Findings run(Window window) throws InterruptedException {
        Lock passed = lock;
        if (passed == null) {
            throw new IllegalStateException("not prepared");
        }
        Histogram latencies = new Histogram(3);
        long counted = 0;
        long taken = 0;
        long entered = 0;
        if (process == 0) {
            taken = marks.enter(0, me);
            entered++;
        }
        for (long round = 1; ; round++) {
            boolean mine = round % 2 != process;
            if (mine) {
                await(Marks.WAITING, round);
                // So that the other is well asleep, at no moment that a poll could know. Until it counts they make
                // haste: at
                // this pace the JVM would have compiled next to nothing by then.
                boolean counts = System.nanoTime() - window.from() > -SLOW_DOWN;
                TimeUnit.MICROSECONDS.sleep(counts ? random.nextLong(4_000, 8_000) : random.nextLong(100, 300));
                if (window.isOver(System.nanoTime())) {
                    marks.set(Marks.STOP, round);
                }
                marks.leave(0, me, taken);
                marks.set(Marks.HANDED, System.nanoTime());
                passed.unlock();
                await(Marks.TAKEN, round);
            } else {
                marks.set(Marks.WAITING, round);
                passed.lock();
                long now = System.nanoTime();
                taken = marks.enter(0, me);
                entered++;
                long handed = marks.get(Marks.HANDED);
                if (window.contains(now)) {
                    latencies.recordValue(Math.max(0, now - handed));
                    counted++;
                }
                marks.set(Marks.TAKEN, round);
            }
            if (marks.get(Marks.STOP) != 0) {
                if (!mine) {
                    marks.leave(0, me, taken);
                    passed.unlock();
                }
                return new Findings()
                        .put(Findings.ENTERED, entered)
                        .put(Findings.COUNTED, counted)
                        .latencies(latencies);
            }
        }
    }

    private void await(int field, long round) {
        long patience = System.nanoTime() + PATIENCE;
        while (marks.get(field) < round) {
            if (System.nanoTime() - patience > 0) {
                throw new IllegalStateException("the other process did not take its turn for a minute");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
