package io.holdfast.tck;

import io.holdfast.spi.CallListener;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Subscription;

/** Passes on no notification: every hint is lost. */
final class DeafStore extends ForwardingStore {

    DeafStore(LockStore store) {
        super(store);
    }

    @Override
    public Subscription watch(Kind kind, String name, Runnable changed) {
        return () -> {};
    }

    @Override
    public Subscription listen(String client, CallListener called) {
        return () -> {};
    }
}
