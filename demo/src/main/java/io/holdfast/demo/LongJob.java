package io.holdfast.demo;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;

/** A worker's second task: a job of many steps that only one process may be at. It goes on where the last one stopped. */
final class LongJob {

    static final long STEP_MILLIS = 100;

    private final SharedData data;
    private final DistributedLock lock;

    LongJob(SharedData data, DistributedLock lock) {
        this.data = data;
        this.lock = lock;
    }

    void run(int steps) throws InterruptedException {
        // No lease time is given: the lock is renewed for as long as this process lives, and ends soon after it.
        try (Lease lease = lock.acquire()) {
            int next = data.step() + 1;
            Report.say("granted", lease.token(), next);
            for (int step = next; step <= steps; step++) {
                Thread.sleep(STEP_MILLIS);
                data.stepDone(step);
                Report.say("step", step);
            }
        }
        Report.say("finished");
    }
}
