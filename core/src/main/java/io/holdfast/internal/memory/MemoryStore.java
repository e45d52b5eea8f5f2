package io.holdfast.internal.memory;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** One client's access to {@link MemoryLocks}: for unit tests, and for locks that need not leave the JVM. */
public final class MemoryStore implements LockStore {

    private static final Map<String, Shared> SHARED = new ConcurrentHashMap<>();

    private record Shared(MemoryLocks locks, MemoryWatches watches) {}

    private final MemoryLocks locks;
    private final MemoryWatches watches;
    private final String description;

    public MemoryStore(MemoryLocks locks, String description) {
        this(locks, new MemoryWatches(), description);
    }

    private MemoryStore(MemoryLocks locks, MemoryWatches watches, String description) {
        this.locks = locks;
        this.watches = watches;
        this.description = description;
    }

    static MemoryStore shared(String name) {
        Shared shared = SHARED.computeIfAbsent(
                name, unused -> new Shared(new MemoryLocks(System::nanoTime), new MemoryWatches()));
        return new MemoryStore(shared.locks, shared.watches, "memory:" + name);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(Guarantee.LOCAL, false);
    }

    @Override
    public CompletionStage<Outcome> claim(Claim claim) {
        return CompletableFuture.completedStage(locks.claim(claim));
    }

    @Override
    public CompletionStage<Set<String>> renew(List<Claim> claims) {
        return CompletableFuture.completedStage(locks.renew(claims));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        boolean held = locks.release(claim);
        boolean contended = held && watches.tell(claim.name(), this);
        return CompletableFuture.completedStage(new Release(held, contended));
    }

    @Override
    public Subscription watch(String name, Runnable changed) {
        Subscription watch = watches.add(name, this, changed);
        changed.run();
        return watch;
    }

    @Override
    public CompletionStage<LockState> inspect(String name) {
        return CompletableFuture.completedStage(locks.inspect(name));
    }

    @Override
    public CompletionStage<List<LockState>> list(String prefix, int limit) {
        return CompletableFuture.completedStage(locks.list(prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String name) {
        boolean held = locks.forceRelease(name);
        if (held) {
            watches.tell(name, this);
        }
        return CompletableFuture.completedStage(held);
    }

    @Override
    public void close() {
        watches.removeAll(this);
    }
}
