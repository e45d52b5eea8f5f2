package io.holdfast.internal.queue;

import io.holdfast.LockEvent;
import io.holdfast.internal.claim.ClaimContext;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.event.Listeners;
import io.holdfast.spi.Owner;
import java.util.concurrent.CompletableFuture;

/** What the queues of one client share. */
public interface QueueContext extends ClaimContext {

    HandOffPolicy handOffs();

    ContendedNames contended();

    /** Puts the waiter into the queue of its name. */
    void enqueue(Waiter waiter);

    /**
     * The caller has gone. Whatever it got in the meantime is still its own to give back.
     *
     * @param cause why it has, for the listeners
     * @return completes when the store knows that it has left
     */
    CompletableFuture<Void> withdraw(Waiter waiter, LockEvent.NotGranted.Cause cause);

    /** The waiter was woken, and is awake. */
    void wokeUp(Waiter waiter);

    /** The queue has no waiters and no holders any more. */
    void retire(LockQueue queue);

    /** How the store shows the owner. */
    Owner owner(LockOwner asking);

    /** True if the store can grant to a queued claim on release. */
    boolean grantsOnRelease();

    /** What this client's listeners are told of requests. */
    Listeners listeners();

    /** The reason of losses while the client closes. */
    String whyClosed();

    /** Runs a task on the callback executor. */
    void execute(Runnable task);
}
