package io.holdfast.tck;

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

/** A store that passes everything on, for tests that count, delay or break one thing. */
public class ForwardingStore implements LockStore {

    private final LockStore store;

    public ForwardingStore(LockStore store) {
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
    public CompletionStage<Set<String>> renew(List<Claim> claims) {
        return store.renew(claims);
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
    public String shard(String name) {
        return store.shard(name);
    }

    @Override
    public void close() {
        store.close();
    }
}
