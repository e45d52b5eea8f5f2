package io.holdfast;

import java.time.Duration;

/**
 * Told of the life of every lock of one client; metrics and logs hang on it. Calls come in order, one at a time, on the
 * client's callback executor, after the fact: a listener can't delay or veto anything. What it throws is logged. One that
 * falls 100,000 events behind misses those that follow.
 */
public interface LockListener {

    /** The lock is taken, and somebody here has begun to wait for it. */
    default void waiting(String name) {}

    /** Somebody here holds the lock, {@code waited} after asking. */
    default void granted(String name, long token, Duration waited) {}

    /** The store has extended the lease. */
    default void renewed(String name, long token) {}

    /** The lease ended before it was given back. */
    default void lost(String name, long token, String reason) {}

    /**
     * The holder gave the lock back, {@code held} after it was granted. If the store then says that it no longer had it,
     * {@link #lost} follows.
     */
    default void released(String name, long token, Duration held) {}
}
