package io.holdfast.internal.claim;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that no waiter needs any more and that the store may still grant: where a release can overtake its claim, it does not
 * end what comes after it. A client that closes waits for them, since nothing could release them after that.
 */
public final class InFlightClaims {

    private final Set<CompletableFuture<Void>> all = ConcurrentHashMap.newKeySet();

    /** One more, until the future that comes back is completed. */
    @SuppressWarnings("CollectionUndefinedEquality") // each is only itself
    CompletableFuture<Void> add() {
        CompletableFuture<Void> one = new CompletableFuture<>();
        all.add(one);
        one.whenComplete((nothing, failure) -> all.remove(one));
        return one;
    }

    /** Completes when the store can't grant any of them any more. */
    public CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    public int size() {
        return all.size();
    }
}
