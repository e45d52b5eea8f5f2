package io.holdfast.internal.memory;

import io.holdfast.Guarantee;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.memory.MemoryLocks.Freed;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.SemaphoreStore;
import io.holdfast.spi.StoreTraits;
import io.holdfast.spi.Subscription;
import io.holdfast.spi.support.Notification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** One client's access to {@link MemoryLocks}: for unit tests, and for locks that need not leave the JVM. */
public final class MemoryStore implements QueueingStore, SemaphoreStore, LatchStore {

    private static final Map<String, Shared> SHARED = new ConcurrentHashMap<>();

    private record Shared(MemoryLocks locks, MemoryLatches latches, MemoryWatches watches) {

        Shared(MemoryLocks locks) {
            this(locks, new MemoryLatches(), new MemoryWatches());
        }
    }

    private final MemoryLocks locks;
    private final MemoryLatches latches;
    private final MemoryWatches watches;
    private final String description;

    public MemoryStore(MemoryLocks locks, String description) {
        this(new Shared(locks), description);
    }

    private MemoryStore(Shared shared, String description) {
        this.locks = shared.locks;
        this.latches = shared.latches;
        this.watches = shared.watches;
        this.description = description;
    }

    static MemoryStore shared(String name) {
        return new MemoryStore(
                SHARED.computeIfAbsent(name, unused -> new Shared(new MemoryLocks(System::nanoTime))),
                "memory:" + name);
    }

    /** Another client's access to the same locks. */
    public MemoryStore another() {
        return new MemoryStore(new Shared(locks, latches, watches), description);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public StoreTraits traits() {
        return new StoreTraits(Guarantee.LOCAL, false).withMinTokens().withGrantsOnRelease();
    }

    // ---- claims -----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        try {
            List<Notification> notifications = new ArrayList<>(0);
            ClaimResult outcome = locks.claim(claim, notifications);
            watches.deliver(notifications);
            return CompletableFuture.completedStage(outcome);
        } catch (StoreRefusedException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        List<Notification> notifications = new ArrayList<>(0);
        Map<String, ClaimStatus> statuses = locks.renew(claims, notifications);
        watches.deliver(notifications);
        return CompletableFuture.completedStage(statuses);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        Freed freed = locks.release(claim);
        boolean contended = tell(claim.resource(), freed);
        return CompletableFuture.completedStage(new ReleaseResult(freed.held(), freed.held() && contended));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        Freed freed = locks.forceRelease(resource, token);
        tell(resource, freed);
        return CompletableFuture.completedStage(freed.held());
    }

    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        locks.raiseTokens(above);
        return CompletableFuture.completedStage(null);
    }

    /** Notifies the watchers of the name and the clients of claims; the answer is whether another client waits. */
    private boolean tell(Resource resource, Freed freed) {
        boolean watched = freed.free() && watches.tell(resource, this);
        watches.deliver(freed.notifications());
        return watched || !freed.notifications().isEmpty();
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        List<Notification> notifications = new ArrayList<>(0);
        int permits = locks.addPermits(name, id, by, capacity, notifications);
        watches.deliver(notifications);
        return CompletableFuture.completedStage(permits);
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        Subscription watch = watches.add(resource, this, changed);
        changed.run();
        return watch;
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return watches.subscribe(client, this, listener);
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return CompletableFuture.completedStage(locks.inspect(resource));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType type, String prefix, int limit) {
        return CompletableFuture.completedStage(locks.list(type, prefix, limit));
    }

    // ---- latches ----------------------------------------------------------------------------------------------

    @Override
    public CompletionStage<LatchState> set(String name, String id, long count) {
        return told(name, latches.set(name, id, count));
    }

    @Override
    public CompletionStage<LatchState> countDown(String name, String id) {
        LatchState latch = latches.countDown(name, id);
        return latch.isOpen() ? told(name, latch) : CompletableFuture.completedStage(latch);
    }

    @Override
    public CompletionStage<LatchState> look(String name) {
        return CompletableFuture.completedStage(latches.look(name));
    }

    @Override
    public CompletionStage<Boolean> delete(String name, String id) {
        return told(name, latches.delete(name, id));
    }

    private <T> CompletionStage<T> told(String name, T answer) {
        watches.tell(Resource.latch(name), this);
        return CompletableFuture.completedStage(answer);
    }

    @Override
    public void close() {
        watches.removeAll(this);
    }
}
