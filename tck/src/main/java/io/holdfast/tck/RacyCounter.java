package io.holdfast.tck;

import java.util.concurrent.locks.LockSupport;

/** Counts by reading and then writing, with a pause between: two at a time lose an update. */
final class RacyCounter {

    private static final long PAUSE_NANOS = 50_000;

    private volatile int value;

    void increment() {
        int seen = value;
        LockSupport.parkNanos(PAUSE_NANOS);
        value = seen + 1;
    }

    int value() {
        return value;
    }
}
