package io.holdfast.tck;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;

/** Passes on no notification: every hint is lost. */
final class DeafStore extends ForwardingStore {

    DeafStore(LockStore store) {
        super(store);
    }

    @Override
    public Subscription watch(ResourceType kind, String name, Runnable changed) {
        return () -> {};
    }

    @Override
    public Subscription listen(String client, ClaimListener called) {
        return () -> {};
    }
}
