package io.holdfast.internal.engine;

import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store in front of another. */
class ForwardingStore implements QueueingStore, SemaphoreStore {

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
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
        return store.renew(batch);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return store.release(claim);
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return store.watch(resource, changed);
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return store.inspect(resource);
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        return store.list(kind, prefix, limit);
    }

    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return store.raiseTokens(above);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return store.forceRelease(resource, token);
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return with(QueueingStore.class).subscribe(client, listener);
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return with(SemaphoreStore.class).addPermits(name, id, by, capacity);
    }

    LatchStore latches() {
        return with(LatchStore.class);
    }

    private <T> T with(Class<T> capability) {
        return Objects.requireNonNull(store.capability(capability));
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
        if (store.capability(type) == null) {
            return null;
        }
        return type.isInstance(this) ? type.cast(this) : type.cast(latches());
    }

    @Override
    public void close() {
        store.close();
    }
}
