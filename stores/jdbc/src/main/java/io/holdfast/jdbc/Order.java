package io.holdfast.jdbc;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Sees to it that a release does not overtake the claim that it ends. Commands run on several connections at once; a claim
 * that was granted after its release had been answered would stay for a whole lease.
 */
final class Order {

    private final Map<String, CompletableFuture<?>> claims = new ConcurrentHashMap<>();

    /** The claim is under way until this is done. */
    <T> CompletableFuture<T> claiming(String id, CompletableFuture<T> claim) {
        CompletableFuture<?> all = claims.merge(id, claim, (before, now) -> CompletableFuture.allOf(before, now));
        all.whenComplete((outcome, failure) -> claims.remove(id, all));
        return claim;
    }

    /** Runs a command once no claim with this id is under way any more. */
    <T> CompletableFuture<T> after(String id, Supplier<CompletableFuture<T>> command) {
        CompletableFuture<?> claim = claims.get(id);
        if (claim == null) {
            return command.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        claim.whenComplete((outcome, unused) -> command.get().whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(answer);
            } else {
                result.completeExceptionally(failure);
            }
        }));
        return result;
    }
}
