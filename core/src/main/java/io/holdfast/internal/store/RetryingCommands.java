package io.holdfast.internal.store;

import io.holdfast.StoreCommandEvent.Command;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The idempotent commands of one client that are under way and are sent again until they are answered. */
public final class RetryingCommands {

    private final StoreContext engine;
    private final Set<RetryingCommand<?>> underWay = ConcurrentHashMap.newKeySet();

    public RetryingCommands(StoreContext engine) {
        this.engine = engine;
    }

    /**
     * Sends a command until it is answered, for the client's time-out at most.
     *
     * @param name what it is about, if that is one name
     * @param subject the same for messages
     */
    public <T> RetryingCommand<T> send(
            Command kind, @Nullable String name, String subject, Supplier<CompletionStage<T>> command) {
        RetryingCommand<T> retrying =
                new RetryingCommand<>(engine, kind, name, subject, command, engine.now() + engine.timeoutNanos());
        underWay.add(retrying);
        retrying.answer().whenComplete((value, failure) -> underWay.remove(retrying));
        if (engine.isClosed()) {
            retrying.stop(engine.closedException());
        }
        return retrying.start();
    }

    /** Completes when nothing is under way that can still be answered. */
    public CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(underWay.stream()
                .map(command -> command.answer().handle((value, failure) -> null))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Nothing is sent any more. */
    public void abandon(Throwable why) {
        underWay.forEach(command -> command.stop(why));
    }

    public int size() {
        return underWay.size();
    }
}
