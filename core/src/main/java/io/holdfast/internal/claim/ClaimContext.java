package io.holdfast.internal.claim;

import io.holdfast.internal.store.StoreContext;
import java.util.concurrent.CompletableFuture;

/** What the claims of one client share. */
public interface ClaimContext extends StoreContext {

    /** What the ids of this client's claims begin with. */
    String clientId();

    /** A number that no other claim of this client has. */
    long newNumber();

    /** A random number: a copy of this client has counted as far. */
    long newNonce();

    /** The id of the claim with these numbers. */
    String id(long number, long nonce);

    /** A share of the bound that is this client's own, so that clients that start together don't act together. */
    long jitter(long bound);

    Watchdog watchdog();

    RenewalBatches renewals();

    Releaser releaser();

    Notifications notifications();

    InFlightClaims inFlight();

    HoldCounts holdCounts();

    LostHolds lost();

    Events events();

    /** True if the store has told of a failover or a restart since that time. */
    boolean wasUnsureSince(long time);

    /**
     * One entry was taken back, and that many are left.
     *
     * @return completes when the store knows of it
     */
    CompletableFuture<Void> undo(Hold hold, int left);

    /** Runs what a user wants to be done on a loss, on the callback executor. */
    void callBack(Runnable action);

    /** The same future, whose continuations run on the callback executor. */
    <T> CompletableFuture<T> onCallbackExecutor(CompletableFuture<T> future);
}
