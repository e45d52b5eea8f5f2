package io.holdfast.internal.claim;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that nobody wants any more and that the store may still grant: where a release can overtake its claim, it does not
 * end what comes after it. A client that closes waits for them, since nobody could give them back after that.
 */
final class InFlightClaims {

    private final Set<CompletableFuture<Void>> all = ConcurrentHashMap.newKeySet();

    /** One more, until the future that comes back is completed. */
    @SuppressWarnings("CollectionUndefinedEquality") // each is only itself
    CompletableFuture<Void> add() {
        CompletableFuture<Void> one = new CompletableFuture<>();
        all.add(one);
        one.whenComplete((nothing, failure) -> all.remove(one));
        return one;
    }

    /** Completes when the store can't grant any of those that there are now. */
    CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    int size() {
        return all.size();
    }
}
