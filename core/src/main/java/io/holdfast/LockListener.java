package io.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Told of the life of every lock and semaphore of one client; metrics, traces and logs hang on it. Calls come in order, one at a time,
 * on the client's callback executor, after the fact: a listener can't delay or veto anything. Only {@link #started} and {@link #requested}
 * are different. What a listener throws is logged. A listener that falls 100,000 events behind misses the following ones, and {@link
 * #eventsDropped} says how many.
 *
 * <p>A re-entry is no event, nor is leaving a lock that is still held after that. Each lock of a multi-lock has its own events. A client without
 * listeners spends nothing on events.
 */
public interface LockListener {

    /** The client is made: {@link Holdfast.Builder#build()} calls this before it returns, and before any event. */
    default void started(Holdfast holdfast) {}

    /**
     * A caller asks. This is called in the thread that asks, before the store is asked, so that a listener can remember what belongs to
     * that thread; it delays the caller, and must not use the client. One {@link LockEvent.Granted} or {@link LockEvent.NotGranted} follows.
     * It may also be for nothing, and then nothing follows: the owner turns out to hold the lock already, or the same call asks again.
     *
     * @return handed back as {@code context()} with the events of this request
     */
    default @Nullable Object requested(LockEvent.Requested event) {
        return null;
    }

    /** The request has to wait. */
    default void waiting(LockEvent.Waiting event) {}

    /** A caller of this client holds the lock. */
    default void granted(LockEvent.Granted event) {}

    /** The request is over without a grant. */
    default void notGranted(LockEvent.NotGranted event) {}

    /** The store has extended the lease. */
    default void renewed(LockEvent.Renewed event) {}

    /** A renewal was not answered, or failed; the lease still lasts. */
    default void renewalFailed(LockEvent.RenewalFailed event) {}

    /** The lease ended before it was given back. */
    default void lost(LockEvent.Lost event) {}

    /** The holder gave the lock back. */
    default void released(LockEvent.Released event) {}

    /** The store has answered a command, or the command has failed. */
    default void commandEnded(StoreCommandEvent event) {}

    /**
     * The listener was too far behind, so it was not told of as many events as this, between the one before and the next one.
     *
     * @param number how many are missing
     */
    default void eventsDropped(long number) {}
}
