package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that is under way, as whoever made it sees it. */
interface Asked {

    /** The hold, or {@code null} if it was not had in time. */
    CompletableFuture<? extends @Nullable Held> result();

    /** Nobody wants it any more. What was had by then is still the caller's to give back. */
    void withdraw();

    /** Parks until it is decided. */
    default @Nullable Held await() {
        return Await.uninterruptibly(result());
    }

    /** Parks until it is decided; an interrupt leaves nothing behind. */
    default @Nullable Held awaitInterruptibly() throws InterruptedException {
        try {
            return Await.interruptibly(result());
        } catch (InterruptedException e) {
            withdraw();
            result().thenAccept(held -> {
                if (held != null) {
                    held.undo(); // granted and interrupted at once
                }
            });
            throw e;
        }
    }

    /** A future for the caller. Whoever completes it first, the engine or the caller, the other side follows. */
    default <T> CompletableFuture<T> future(Engine engine, Function<@Nullable Held, T> toResult) {
        CompletableFuture<T> user = new CompletableFuture<>();
        result().whenComplete((held, failure) -> engine.execute(() -> {
            if (failure != null) {
                user.completeExceptionally(failure);
            } else if ((user.isDone() || !user.complete(toResult.apply(held))) && held != null) {
                held.undo();
            }
        }));
        user.whenComplete((value, failure) -> withdraw());
        return user;
    }
}
