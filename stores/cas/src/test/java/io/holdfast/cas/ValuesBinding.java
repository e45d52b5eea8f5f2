package io.holdfast.cas;

import io.holdfast.tck.StoreBinding;

/** A register that compares values, as Hazelcast and Geode do. */
interface ValuesBinding extends StoreBinding {

    @Override
    default String uri() {
        return "cas-values:tck";
    }
}
