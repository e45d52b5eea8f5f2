package io.holdfast.spring.boot;

import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;

/** A connection of the application that a store can be on. What is opened for it beside the store ends with this bean. */
interface StoreCandidate {

    HoldfastProperties.StoreType type();

    /** What it is in the application, for messages. */
    String origin();

    LockStore open(StoreConfig config);
}
