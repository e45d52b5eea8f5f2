package io.holdfast.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How locks are taken, whatever their names.
 *
 * @param waitAtMost {@code null} for what {@link OnBusy} says
 * @param lease {@code null} for the watchdog
 * @param atLeast zero for no such time
 */
record LockSettings(
        @Nullable Duration waitAtMost,
        @Nullable Duration lease,
        OnBusy onBusy,
        Duration atLeast,
        OnLost onLost,
        InTransaction inTransaction) {

    LockSettings {
        if (waitAtMost != null && waitAtMost.isNegative()) {
            throw new IllegalArgumentException("a wait time must not be negative, but is " + waitAtMost);
        }
        if (lease != null && (lease.isNegative() || lease.isZero())) {
            throw new IllegalArgumentException("a lease time must be positive, but is " + lease);
        }
        if (atLeast.isNegative()) {
            throw new IllegalArgumentException(
                    "the time for which a lock is held at least must not be negative, but is " + atLeast);
        }
        if (lease != null && lease.compareTo(atLeast) < 0) {
            throw new IllegalArgumentException("a lock that is held for " + atLeast
                    + " at least can't have a lease time of " + lease + ", which is less");
        }
    }

    static LockSettings defaults() {
        return new LockSettings(null, null, OnBusy.WAIT, Duration.ZERO, OnLost.THROW, InTransaction.HOLD);
    }

    /** How long to wait; {@code null} for as long as it takes. */
    @Nullable
    Duration effectiveWait() {
        return waitAtMost == null && onBusy != OnBusy.WAIT ? Duration.ZERO : waitAtMost;
    }

    boolean skips() {
        return onBusy == OnBusy.SKIP;
    }

    /** Whether each call has a lock of its own, which no other call of the thread enters again. */
    boolean ownedByCall() {
        return !atLeast.isZero();
    }

    LockSettings waitAtMost(Duration wait) {
        return new LockSettings(wait, lease, onBusy, atLeast, onLost, inTransaction);
    }

    LockSettings lease(Duration lease) {
        return new LockSettings(waitAtMost, lease, onBusy, atLeast, onLost, inTransaction);
    }

    LockSettings onBusy(OnBusy onBusy) {
        return new LockSettings(
                waitAtMost, lease, onBusy == OnBusy.AUTO ? OnBusy.WAIT : onBusy, atLeast, onLost, inTransaction);
    }

    LockSettings atLeast(Duration atLeast) {
        return new LockSettings(waitAtMost, lease, onBusy, atLeast, onLost, inTransaction);
    }

    LockSettings onLost(OnLost onLost) {
        return new LockSettings(waitAtMost, lease, onBusy, atLeast, onLost, inTransaction);
    }

    LockSettings inTransaction(InTransaction inTransaction) {
        return new LockSettings(waitAtMost, lease, onBusy, atLeast, onLost, inTransaction);
    }
}
