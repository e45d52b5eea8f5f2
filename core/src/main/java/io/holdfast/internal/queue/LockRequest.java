package io.holdfast.internal.queue;

import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;

/**
 * What is asked for.
 *
 * @param mode the lock alone, shared, or permits
 * @param fair whether those who came before come first, in whatever process
 * @param permits how many permits; 1 for a lock
 * @param capacity how many permits the semaphore has if nobody knows of it yet; 1 for a lock
 */
record LockRequest(Mode mode, boolean fair, int permits, int capacity) {

    static final LockRequest PLAIN = new LockRequest(Mode.EXCLUSIVE, false, 1, 1);
    static final LockRequest FAIR = new LockRequest(Mode.EXCLUSIVE, true, 1, 1);

    static LockRequest exclusive(boolean fair) {
        return fair ? FAIR : PLAIN;
    }

    static LockRequest shared(boolean fair) {
        return new LockRequest(Mode.SHARED, fair, 1, 1);
    }

    static LockRequest permits(boolean fair, int permits, int capacity) {
        return new LockRequest(Mode.PERMITS, fair, permits, capacity);
    }

    /** The same, of somebody who takes what is free now, whoever waits. */
    LockRequest barging() {
        return fair ? new LockRequest(mode, false, permits, capacity) : this;
    }

    /** Whether those of one client who want this can share one claim, one after the other. */
    boolean isPlain() {
        return mode == Mode.EXCLUSIVE && !fair;
    }

    /** How a claim of its own for this stands to those who wait. */
    QueuePolicy policy(boolean patient) {
        if (fair) {
            return patient ? QueuePolicy.QUEUES : QueuePolicy.GIVES_WAY;
        }
        return patient ? QueuePolicy.BARGES_OR_QUEUES : QueuePolicy.BARGES;
    }
}
