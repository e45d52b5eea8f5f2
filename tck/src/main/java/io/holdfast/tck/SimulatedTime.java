package io.holdfast.tck;

import io.holdfast.Holdfast;
import io.holdfast.spi.LockStore;
import java.time.Duration;

/** Time that stands still until it is told to pass, with a store and clients that live in it. One test has it for itself. */
public interface SimulatedTime {

    /** The clock of the store and of every client. */
    long nanos();

    /**
     * Lets that much time pass. What is due in it runs at its own time, one after the other, before this returns.
     *
     * @return whether anything was due
     */
    boolean pass(Duration time);

    /** Whether callbacks are under way, which take real time. */
    boolean isAtWork();

    /** The store itself. */
    LockStore newStore();

    /** A client of that store that is not built yet. */
    default Holdfast.Builder newClient() {
        return newClient(newStore());
    }

    /** A client of a store that passes commands on to {@link #newStore()}. */
    Holdfast.Builder newClient(LockStore store);
}
