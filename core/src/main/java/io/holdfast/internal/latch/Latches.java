package io.holdfast.internal.latch;

import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.store.RetryingCommand;
import io.holdfast.internal.store.StoreContext;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The latches that callers of one client wait for just now. */
public final class Latches {

    private final StoreContext engine;
    private final Map<String, LatchQueue> queues = new ConcurrentHashMap<>();

    public Latches(StoreContext engine) {
        this.engine = engine;
    }

    public <T> RetryingCommand<T> send(String name, Function<LatchStore, CompletionStage<T>> command) {
        return engine.commands()
                .send(
                        Command.LATCH,
                        name,
                        Messages.label(ResourceType.LATCH, name),
                        () -> command.apply(engine.capabilities().latches(name)));
    }

    /** Waits until the latch opens, or that long. */
    public LatchWait await(String name, long waitNanos) {
        LatchWait wait = new LatchWait(name, waitNanos, engine.now());
        enqueue(wait);
        return wait;
    }

    void enqueue(LatchWait wait) {
        if (engine.isClosed()) {
            wait.result.completeExceptionally(engine.closedException());
        }
        if (!wait.result.isDone()) {
            queues.computeIfAbsent(wait.name, name -> new LatchQueue(engine, this, name))
                    .enqueue(wait);
        }
    }

    /** The caller has gone. */
    public void withdraw(LatchWait wait) {
        wait.result.complete(false);
        LatchQueue queue = queues.get(wait.name);
        if (queue != null) {
            queue.withdraw(wait);
        }
    }

    public void changed(String name) {
        LatchQueue queue = queues.get(name);
        if (queue != null) {
            queue.changed();
        }
    }

    void retire(LatchQueue queue) {
        queues.remove(queue.name(), queue);
    }

    /** Shows what is waited for. */
    public void show(Look look) {
        queues.values().forEach(queue -> queue.show(look));
    }

    public int size() {
        return queues.size();
    }

    /** Fails all waits. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                queues.values().stream().map(LatchQueue::close).toArray(CompletableFuture<?>[]::new));
    }
}
