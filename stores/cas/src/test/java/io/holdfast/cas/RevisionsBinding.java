package io.holdfast.cas;

import io.holdfast.tck.StoreBinding;

/** A register that has revisions, as etcd does. */
interface RevisionsBinding extends StoreBinding {

    @Override
    default String uri() {
        return "cas-revisions:tck";
    }
}
