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
 * @param minTokens whether it heeds {@link Claim#minToken}
 * @param grantsOnRelease whether it heeds {@link Claim#grantOnRelease}; then waiting for a plain lock takes a place in the queue
 */
public record StoreTraits(
        Guarantee guarantee,
        boolean acrossProcesses,
        Set<ResourceType> kinds,
        boolean minTokens,
        boolean grantsOnRelease) {

    public StoreTraits {
        kinds = Set.copyOf(kinds);
    }

    /** A store for everything, which knows nothing of floors and grants nothing by a call. */
    public StoreTraits(Guarantee guarantee, boolean acrossProcesses) {
        this(guarantee, acrossProcesses, EnumSet.allOf(ResourceType.class), false, false);
    }

    public StoreTraits withMinTokens() {
        return new StoreTraits(guarantee, acrossProcesses, kinds, true, grantsOnRelease);
    }

    public StoreTraits withGrantsOnRelease() {
        return new StoreTraits(guarantee, acrossProcesses, kinds, minTokens, true);
    }
}
