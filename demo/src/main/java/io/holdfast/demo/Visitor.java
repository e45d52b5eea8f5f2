package io.holdfast.demo;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** One thread of a worker that goes where the family of locks lets it, and writes into the logbook what it does. */
final class Visitor {

    private static final long STAY_MILLIS = 150;

    /** Whatever lets visitors in. */
    private interface Gate {
        Lease enter() throws InterruptedException;
    }

    private final String name;
    private final Logbook logbook;

    Visitor(String name, Logbook logbook) {
        this.name = name;
        this.logbook = logbook;
    }

    /** Reads again and again; every fourth time it writes, with another phase in each worker. */
    void readAndWrite(DistributedReadWriteLock lock, Duration duration, int phase) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        for (int round = phase; System.nanoTime() < end; round++) {
            if (round % Options.WORKERS == 0) {
                visit(lock.writeLock()::acquire, Doing.WRITES);
            } else {
                visit(lock.readLock()::acquire, Doing.READS);
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(STAY_MILLIS));
        }
    }

    /** Takes a permit again and again. */
    void takePermits(DistributedSemaphore semaphore, Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            visit(() -> semaphore.acquireLease(1), Doing.INSIDE);
        }
    }

    /** Queues up once. */
    void queue(DistributedLock fairLock) throws InterruptedException {
        visit(fairLock::acquire, Doing.INSIDE);
    }

    /** Works, counts the latch down, perhaps more than once, and goes on when it is open. */
    void countDown(DistributedLatch latch, Duration work, int times) throws InterruptedException {
        logbook.write(name, Doing.WORKS);
        Thread.sleep(work.toMillis());
        for (int time = 0; time < times; time++) {
            logbook.write(name, Doing.COUNTS);
            logbook.write(name, Doing.WAITS);
            latch.countDown(name); // the name makes it count once, however often it is called
            Report.say("counted");
            Thread.sleep(time < times - 1 ? STAY_MILLIS : 0);
        }
        latch.await();
        logbook.write(name, Doing.INSIDE);
        Thread.sleep(STAY_MILLIS);
        logbook.write(name, Doing.IDLE);
    }

    private void visit(Gate gate, Doing inside) throws InterruptedException {
        logbook.write(name, Doing.WAITS);
        try (Lease lease = gate.enter()) {
            logbook.write(name, inside);
            Report.say("granted", lease.token());
            Thread.sleep(STAY_MILLIS);
            logbook.write(name, Doing.IDLE);
        }
    }
}
