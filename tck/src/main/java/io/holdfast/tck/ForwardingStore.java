package io.holdfast.tck;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
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
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return store.renew(claims);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public Subscription watch(ResourceType kind, String name, Runnable changed) {
        return store.watch(kind, name, changed);
    }

    @Override
    public CompletionStage<LockState> inspect(ResourceType kind, String name) {
        return store.inspect(kind, name);
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        return store.list(kind, prefix, limit);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(ResourceType kind, String name) {
        return store.forceRelease(kind, name);
    }

    @Override
    public String shard(String name) {
        return store.shard(name);
    }

    @Override
    public Subscription listen(String client, ClaimListener called) {
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
