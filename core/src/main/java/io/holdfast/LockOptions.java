package io.holdfast;

import io.holdfast.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one lock differs from its client's defaults. Immutable. */
public final class LockOptions {

    private static final LockOptions DEFAULTS = new LockOptions(null, false, Duration.ZERO, true);

    private final @Nullable Duration lease;
    private final boolean fair;
    private final Duration linger;
    private final boolean reentrant;

    private LockOptions(@Nullable Duration lease, boolean fair, Duration linger, boolean reentrant) {
        this.lease = lease;
        this.fair = fair;
        this.linger = linger;
        this.reentrant = reentrant;
    }

    /** The client's defaults. */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The lease that the watchdog keeps renewing while the lock is held without a lease time of its own: how long the
     * lock outlives a process that dies. At least 100 ms; by default the client's (30 s).
     */
    public LockOptions lease(Duration lease) {
        return new LockOptions(Limits.watchdogLease(lease), fair, linger, reentrant);
    }

    /**
     * First come first served over all processes, in the order in which the store saw them. A waiter keeps its place while
     * its process lives; those of one that died hold up those behind them for 4 s at most, however many they are. As with
     * the JDK's fair locks, {@link DistributedLock#tryLock()} takes a lock that is free though others wait, and the timed one
     * does not. A store without queues refuses fair locks ({@link StoreRefusedException}).
     */
    public LockOptions fair() {
        return new LockOptions(lease, true, linger, reentrant);
    }

    /**
     * Keeps the lock for a while after the last unlock in this client, in case it is wanted here again: taking it then
     * costs no round trip. Another client that asks for it gets it at once, because the store tells this one; if that
     * message is lost, or the other one is a library that sends none, after this time at most, or a second if it is
     * taken up here again and again. For plain locks that the watchdog keeps; fair locks, read locks, semaphores and locks
     * with a lease time of their own don't linger, nor does any lock on a store without queues, which could not ask for it.
     *
     * @param linger for how long at most; it ends in any case once half of the lease has passed since it was last renewed;
     *     zero, the default, for not at all
     */
    public LockOptions linger(Duration linger) {
        return new LockOptions(lease, fair, Limits.linger(linger), reentrant);
    }

    /**
     * Not re-entrant: an owner that holds the lock and asks for it again, in whatever way, gets a {@link HoldfastException} that
     * says so, rather than entering again. The two sides of a read/write lock are two locks in this: a writer may still take the
     * read lock. A lock that is held by a handle has no owner that could ask again.
     */
    public LockOptions nonReentrant() {
        return new LockOptions(lease, fair, linger, false);
    }

    /** The watchdog's lease, or {@code null} for the client's. */
    public @Nullable Duration lease() {
        return lease;
    }

    /** For how long a lock that nobody here needs is kept. */
    public Duration linger() {
        return linger;
    }

    public boolean isFair() {
        return fair;
    }

    public boolean isReentrant() {
        return reentrant;
    }
}
