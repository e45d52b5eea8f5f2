package io.holdfast;

import io.holdfast.internal.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one lock differs from its client's defaults. Immutable. */
public final class LockOptions {

    private static final LockOptions DEFAULTS = new LockOptions(null);

    private final @Nullable Duration lease;

    private LockOptions(@Nullable Duration lease) {
        this.lease = lease;
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
        return new LockOptions(Limits.watchdogLease(lease));
    }

    /** The watchdog's lease, or {@code null} for the client's. */
    public @Nullable Duration lease() {
        return lease;
    }
}
