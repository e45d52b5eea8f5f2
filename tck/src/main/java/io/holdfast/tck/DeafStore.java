package io.holdfast.tck;

import io.holdfast.spi.Kind;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Subscription;
import java.util.function.Consumer;

/** Tells nobody anything: every hint is lost. */
final class DeafStore extends ForwardingStore {

    DeafStore(LockStore store) {
        super(store);
    }

    @Override
    public Subscription watch(Kind kind, String name, Runnable changed) {
        return () -> {};
    }

    @Override
    public Subscription listen(String client, Consumer<String> called) {
        return () -> {};
    }
}
