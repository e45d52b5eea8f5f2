package io.holdfast.internal;

import io.holdfast.spi.Mode;
import io.holdfast.spi.Turn;

/**
 * What is asked for.
 *
 * @param mode the lock alone, shared, or permits
 * @param fair whether those who came before come first, in whatever process
 * @param permits how many permits; 1 for a lock
 * @param capacity how many permits the semaphore has if nobody knows of it yet; 1 for a lock
 */
record Demand(Mode mode, boolean fair, int permits, int capacity) {

    static final Demand PLAIN = new Demand(Mode.EXCLUSIVE, false, 1, 1);
    static final Demand FAIR = new Demand(Mode.EXCLUSIVE, true, 1, 1);

    static Demand exclusive(boolean fair) {
        return fair ? FAIR : PLAIN;
    }

    static Demand shared(boolean fair) {
        return new Demand(Mode.SHARED, fair, 1, 1);
    }

    static Demand permits(boolean fair, int permits, int capacity) {
        return new Demand(Mode.PERMITS, fair, permits, capacity);
    }

    /** The same, of somebody who takes what is free now, whoever waits. */
    Demand barging() {
        return fair ? new Demand(mode, false, permits, capacity) : this;
    }

    /** Whether those of one client who want this can share one claim, one after the other. */
    boolean isPlain() {
        return mode == Mode.EXCLUSIVE && !fair;
    }

    /** How a claim of its own for this stands to those who wait. */
    Turn turn(boolean patient) {
        if (fair) {
            return patient ? Turn.QUEUES : Turn.GIVES_WAY;
        }
        return patient ? Turn.BARGES_OR_QUEUES : Turn.BARGES;
    }
}
