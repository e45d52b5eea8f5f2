package io.holdfast.redis;

import io.lettuce.core.api.AsyncCloseable;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The connections over which one run of one server is sent commands. They live and die together: what came over the one
 * is waited for over the other, and that only means something if both lead to the same data.
 *
 * @param barrier over a connection of its own, since it waits there; {@code null} where nothing is waited for
 */
record Link(
        MasterLocation location,
        StatefulRedisConnection<String, String> commands,
        @Nullable Barrier barrier) implements AsyncCloseable {

    boolean isOpen() {
        return commands.isOpen() && (barrier == null || barrier.isOpen());
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        CompletableFuture<Void> closed = commands.closeAsync();
        return barrier == null ? closed : CompletableFuture.allOf(closed, barrier.closeAsync());
    }
}
