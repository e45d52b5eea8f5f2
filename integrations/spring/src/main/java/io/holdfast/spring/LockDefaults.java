package io.holdfast.spring;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What holds for each {@link WithLock} that does not say otherwise. A bean of this type replaces what {@link EnableHoldfastLocks} says.
 *
 * @param waitAtMost how long a method waits with {@link OnBusy#WAIT}, or {@code null} for as long as it takes
 * @param inTransaction what happens in a transaction that has already begun
 */
public record LockDefaults(@Nullable Duration waitAtMost, InTransaction inTransaction) {

    public LockDefaults {
        Objects.requireNonNull(inTransaction);
        if (waitAtMost != null && waitAtMost.isNegative()) {
            throw new IllegalArgumentException("a wait time must not be negative, but is " + waitAtMost);
        }
    }

    /** Waits for as long as it takes, and holds locks until a transaction has completed. */
    public LockDefaults() {
        this(null, InTransaction.HOLD);
    }
}
