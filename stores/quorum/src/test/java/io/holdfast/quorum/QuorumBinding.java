package io.holdfast.quorum;

import io.holdfast.tck.StoreBinding;

/** A quorum of five, of which one is slow. */
interface QuorumBinding extends StoreBinding {

    @Override
    default String uri() {
        return "faulty-quorum:contract";
    }
}
