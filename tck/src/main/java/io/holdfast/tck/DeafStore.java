package io.holdfast.tck;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;

/** Passes on no notification: every hint is lost. */
final class DeafStore extends ForwardingStore {

    DeafStore(LockStore store) {
        super(store);
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return () -> {};
    }

    @Override
    public Subscription subscribe(String client, ClaimListener called) {
        return () -> {};
    }
}
