package io.holdfast.spi;

import io.holdfast.Guarantee;

/**
 * What a store can and can't do.
 *
 * @param guarantee what its locks survive
 * @param acrossProcesses whether other processes see its locks
 */
public record StoreTraits(Guarantee guarantee, boolean acrossProcesses) {}
