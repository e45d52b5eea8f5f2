package io.holdfast.spi;

import io.holdfast.Guarantee;

/**
 * What a store's locks are worth, and which options of claims it heeds. What kinds of resources it keeps, and whether it has
 * queues, is said by the interfaces that it implements: see {@link LockStore#capability}.
 *
 * @param guarantee what its locks survive
 * @param acrossProcesses whether other processes see its locks
 * @param minTokens whether it heeds {@link ClaimOptions#minToken}
 * @param grantsOnRelease whether it heeds {@link ClaimOptions#grantOnRelease}
 */
public record StoreTraits(Guarantee guarantee, boolean acrossProcesses, boolean minTokens, boolean grantsOnRelease) {

    /** A store that heeds neither. */
    public StoreTraits(Guarantee guarantee, boolean acrossProcesses) {
        this(guarantee, acrossProcesses, false, false);
    }

    public StoreTraits withMinTokens() {
        return new StoreTraits(guarantee, acrossProcesses, true, grantsOnRelease);
    }

    public StoreTraits withGrantsOnRelease() {
        return new StoreTraits(guarantee, acrossProcesses, minTokens, true);
    }
}
