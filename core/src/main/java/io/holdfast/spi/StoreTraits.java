package io.holdfast.spi;

import io.holdfast.Guarantee;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a store can and can't do.
 *
 * @param guarantee what its locks survive
 * @param acrossProcesses whether other processes see its locks
 * @param kinds what it keeps; a command for anything else fails with {@link io.holdfast.StoreRefusedException}, not
 *     retryable, because the store could not do it safely
 * @param floors whether it heeds {@link Claim#floor}
 */
public record StoreTraits(Guarantee guarantee, boolean acrossProcesses, Set<Kind> kinds, boolean floors) {

    public StoreTraits {
        kinds = Set.copyOf(kinds);
    }

    /** A store for everything, which knows nothing of floors. */
    public StoreTraits(Guarantee guarantee, boolean acrossProcesses) {
        this(guarantee, acrossProcesses, EnumSet.allOf(Kind.class), false);
    }

    public StoreTraits withFloors() {
        return new StoreTraits(guarantee, acrossProcesses, kinds, true);
    }
}
