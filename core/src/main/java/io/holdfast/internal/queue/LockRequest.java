package io.holdfast.internal.queue;

import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;

/**
 * What a caller asks for.
 *
 * @param mode the lock alone, shared, or permits
 * @param fair whether earlier requests come first, in whatever process
 * @param permits how many permits; 1 for a lock
 * @param capacity how many permits the semaphore has if the store does not know of it yet; 1 for a lock
 * @param reentrant whether an owner that holds it may enter again; otherwise that is an error
 */
public record LockRequest(Mode mode, boolean fair, int permits, int capacity, boolean reentrant) {

    static final LockRequest PLAIN = new LockRequest(Mode.EXCLUSIVE, false, 1, 1, true);
    static final LockRequest FAIR = new LockRequest(Mode.EXCLUSIVE, true, 1, 1, true);

    public static LockRequest exclusive(boolean fair, boolean reentrant) {
        if (!reentrant) {
            return new LockRequest(Mode.EXCLUSIVE, fair, 1, 1, false);
        }
        return fair ? FAIR : PLAIN;
    }

    public static LockRequest shared(boolean fair, boolean reentrant) {
        return new LockRequest(Mode.SHARED, fair, 1, 1, reentrant);
    }

    public static LockRequest permits(boolean fair, int permits, int capacity) {
        return new LockRequest(Mode.PERMITS, fair, permits, capacity, true);
    }

    /** The same request, which takes what is free now ahead of the queue. */
    public LockRequest barging() {
        return fair ? new LockRequest(mode, false, permits, capacity, reentrant) : this;
    }

    /** True if the waiters of one client can share one claim for this, one after the other. */
    public boolean isPlain() {
        return mode == Mode.EXCLUSIVE && !fair;
    }

    /** How a queued claim for this stands to the other claims in the queue. */
    QueuePolicy policy(boolean patient) {
        if (fair) {
            return patient ? QueuePolicy.QUEUES : QueuePolicy.GIVES_WAY;
        }
        return patient ? QueuePolicy.BARGES_OR_QUEUES : QueuePolicy.BARGES;
    }
}
