package io.holdfast.internal;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The idempotent commands of one client that are under way and are sent again until they are answered. */
final class Commands {

    private final Engine engine;
    private final Set<Repeated<?>> underWay = ConcurrentHashMap.newKeySet();

    Commands(Engine engine) {
        this.engine = engine;
    }

    /**
     * Sends a command until it is answered, for the client's time-out at most.
     *
     * @param subject what it is about, for messages
     */
    <T> Repeated<T> send(String subject, Supplier<CompletionStage<T>> command) {
        Repeated<T> repeated = new Repeated<>(engine, subject, command, engine.now() + engine.timeoutNanos());
        underWay.add(repeated);
        repeated.answer().whenComplete((value, failure) -> underWay.remove(repeated));
        if (engine.isClosed()) {
            repeated.stop(engine.closedException());
        }
        return repeated.start();
    }

    /** Completes when nothing is under way that can still be answered. */
    CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(underWay.stream()
                .map(command -> command.answer().handle((value, failure) -> null))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Nothing is sent any more. */
    void abandon(Throwable why) {
        underWay.forEach(command -> command.stop(why));
    }

    int size() {
        return underWay.size();
    }
}
