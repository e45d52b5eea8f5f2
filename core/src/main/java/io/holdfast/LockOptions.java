package io.holdfast;

import io.holdfast.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one lock differs from its client's defaults. Immutable. */
public final class LockOptions {

    private static final LockOptions DEFAULTS = new LockOptions(null, false);

    private final @Nullable Duration lease;
    private final boolean fair;

    private LockOptions(@Nullable Duration lease, boolean fair) {
        this.lease = lease;
        this.fair = fair;
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
        return new LockOptions(Limits.watchdogLease(lease), fair);
    }

    /**
     * First come first served over all processes, in the order in which the store saw them. A waiter keeps its place while
     * its process lives; those of one that died hold up those behind them for 4 s at most, however many they are. As with the JDK's fair locks,
     * {@link DistributedLock#tryLock()} takes a lock that is free whoever waits, and the timed one does not.
     */
    public LockOptions fair() {
        return new LockOptions(lease, true);
    }

    /** The watchdog's lease, or {@code null} for the client's. */
    public @Nullable Duration lease() {
        return lease;
    }

    public boolean isFair() {
        return fair;
    }
}
