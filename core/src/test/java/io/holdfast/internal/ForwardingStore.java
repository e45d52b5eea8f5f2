package io.holdfast.internal;

import io.holdfast.LockState;
import io.holdfast.spi.CallListener;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Standing;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
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
    public CompletionStage<Map<String, Standing>> renew(List<Claim> batch) {
        return store.renew(batch);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public Subscription watch(Kind kind, String name, Runnable changed) {
        return store.watch(kind, name, changed);
    }

    @Override
    public CompletionStage<LockState> inspect(Kind kind, String name) {
        return store.inspect(kind, name);
    }

    @Override
    public CompletionStage<List<LockState>> list(Kind kind, String prefix, int limit) {
        return store.list(kind, prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Kind kind, String name) {
        return store.forceRelease(kind, name);
    }

    @Override
    public Subscription listen(String client, CallListener called) {
        return store.listen(client, called);
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return store.addPermits(name, id, by, capacity);
    }

    @Override
    public LatchStore latches() {
        return store.latches();
    }

    @Override
    public void close() {
        store.close();
    }
}
