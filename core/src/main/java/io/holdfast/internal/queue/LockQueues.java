package io.holdfast.internal.queue;

import io.holdfast.internal.store.Look;
import io.holdfast.spi.ResourceType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queues of one client, one for each name that is in use. */
public final class LockQueues {

    private final QueueContext engine;
    private final Map<String, LockQueue> locks = new ConcurrentHashMap<>();
    private final Map<String, LockQueue> semaphores = new ConcurrentHashMap<>();

    public LockQueues(QueueContext engine) {
        this.engine = engine;
    }

    private Map<String, LockQueue> of(ResourceType type) {
        return type == ResourceType.LOCK ? locks : semaphores;
    }

    /** The queue of the name, if it is in use. */
    public @Nullable LockQueue find(ResourceType type, String name) {
        return of(type).get(name);
    }

    @Nullable
    LockQueue find(Waiter waiter) {
        return find(waiter.request.mode().type(), waiter.name);
    }

    /** Puts the waiter into the queue of its name. */
    public void enqueue(Waiter waiter) {
        ResourceType type = waiter.request.mode().type();
        of(type).computeIfAbsent(waiter.name, name -> new LockQueue(engine, type, name))
                .enqueue(waiter);
    }

    /** See {@link QueueContext#withdraw}; {@code null} if there is no such queue. */
    public @Nullable CompletableFuture<Void> withdraw(Waiter waiter) {
        LockQueue queue = find(waiter);
        if (queue == null) {
            return null;
        }
        CompletableFuture<Void> known = new CompletableFuture<>();
        queue.withdraw(waiter, known);
        return known;
    }

    /** The waiter was woken, and is awake. */
    public void wokeUp(Waiter waiter) {
        LockQueue queue = find(waiter);
        if (queue != null) {
            queue.wokeUp(waiter);
        }
    }

    /** The lock may have become free. */
    public void changed(ResourceType type, String name) {
        LockQueue queue = find(type, name);
        if (queue != null) {
            queue.changed();
        }
    }

    /** The store may have lost what is held here, so it is asked. */
    public void verifyHeld() {
        locks.values().forEach(LockQueue::verifyHeld);
        semaphores.values().forEach(LockQueue::verifyHeld);
    }

    /** The queue has no waiters and no holders any more. */
    public void retire(LockQueue queue) {
        of(queue.type()).remove(queue.name(), queue);
    }

    /** Shows what is held and waited for. */
    public void show(Look look) {
        locks.values().forEach(queue -> queue.show(look));
        semaphores.values().forEach(queue -> queue.show(look));
    }

    public int size() {
        return locks.size() + semaphores.size();
    }

    /** The client is closing: completes when no queue has a waiter or a hold. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(Stream.of(locks, semaphores)
                .flatMap(all -> all.values().stream())
                .map(LockQueue::close)
                .toArray(CompletableFuture<?>[]::new));
    }
}
