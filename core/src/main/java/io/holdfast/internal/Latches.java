package io.holdfast.internal;

import io.holdfast.spi.Kind;
import io.holdfast.spi.LatchStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What one client has to do with latches just now: who waits for them, and the commands that are under way. */
final class Latches {

    private final Engine engine;
    private final Map<String, LatchQueue> queues = new ConcurrentHashMap<>();
    private final Set<Repeated<?>> commands = ConcurrentHashMap.newKeySet();

    Latches(Engine engine) {
        this.engine = engine;
    }

    LatchStore store() {
        return engine.store().latches();
    }

    /** Sends a command about the latch until it is answered, for the client's time-out at most. */
    <T> Repeated<T> send(String name, Function<LatchStore, CompletionStage<T>> command) {
        Repeated<T> repeated = new Repeated<>(
                engine, Label.of(Kind.LATCH, name), () -> command.apply(store()), engine.now() + engine.timeoutNanos());
        commands.add(repeated);
        repeated.answer().whenComplete((value, failure) -> commands.remove(repeated));
        if (engine.isClosed()) {
            repeated.stop(engine.closedException());
        }
        return repeated.start();
    }

    /** Waits until the latch opens, or that long. */
    LatchWait await(String name, long waitNanos) {
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
    void withdraw(LatchWait wait) {
        wait.result.complete(false);
        LatchQueue queue = queues.get(wait.name);
        if (queue != null) {
            queue.withdraw(wait);
        }
    }

    void changed(String name) {
        LatchQueue queue = queues.get(name);
        if (queue != null) {
            queue.changed();
        }
    }

    void retire(LatchQueue queue) {
        queues.remove(queue.name(), queue);
    }

    int size() {
        return queues.size() + commands.size();
    }

    /** Fails those who wait; completes when the commands that are under way have been answered, or won't be. */
    CompletableFuture<Void> close() {
        List<CompletableFuture<?>> closing = new ArrayList<>();
        queues.values().forEach(queue -> closing.add(queue.close()));
        commands.forEach(command -> closing.add(command.answer().handle((value, failure) -> null)));
        return CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new));
    }

    /** Nothing is sent any more. */
    void abandon(Throwable why) {
        commands.forEach(command -> command.stop(why));
    }
}
