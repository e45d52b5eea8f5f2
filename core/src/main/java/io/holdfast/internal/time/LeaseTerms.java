package io.holdfast.internal.time;

import io.holdfast.internal.Tuning;
import java.time.Duration;

/**
 * For how long a lock is claimed, and what keeps it.
 *
 * @param lease what the store is asked to keep it for
 * @param watchdog whether it is renewed while it is held, or ends by itself
 * @param linger for how long it is kept after the last local holder
 */
public record LeaseTerms(Duration lease, boolean watchdog, Duration linger) {

    public static LeaseTerms watchdog(Duration lease) {
        return watchdog(lease, Duration.ZERO);
    }

    public static LeaseTerms watchdog(Duration lease, Duration linger) {
        return new LeaseTerms(lease, true, linger);
    }

    public static LeaseTerms leased(Duration lease) {
        return new LeaseTerms(lease, false, Duration.ZERO);
    }

    public boolean lingers() {
        return !linger.isZero();
    }

    /**
     * Until when a lease may be believed in that was asked for at {@code sentAt}. The store began to count later than
     * that, so the local deadline is never after the store's.
     */
    public static long deadline(long sentAt, Duration lease) {
        return sentAt + lease.toNanos() - margin(lease);
    }

    static long margin(Duration lease) {
        return lease.toNanos() / Tuning.MARGIN_DIVISOR + Tuning.MARGIN_NANOS;
    }
}
