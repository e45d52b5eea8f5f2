package io.holdfast.internal;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** A store in front of another. */
class ForwardingStore implements LockStore {

    private final LockStore store;

    ForwardingStore(LockStore store) {
        this.store = store;
    }

    @Override
    public String description() {
        return store.description();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<Outcome> claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public CompletionStage<Set<String>> renew(List<Claim> batch) {
        return store.renew(batch);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public Subscription watch(String name, Runnable changed) {
        return store.watch(name, changed);
    }

    @Override
    public CompletionStage<LockState> inspect(String name) {
        return store.inspect(name);
    }

    @Override
    public CompletionStage<List<LockState>> list(String prefix, int limit) {
        return store.list(prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String name) {
        return store.forceRelease(name);
    }

    @Override
    public void close() {
        store.close();
    }
}
