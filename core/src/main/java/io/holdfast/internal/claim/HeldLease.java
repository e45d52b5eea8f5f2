package io.holdfast.internal.claim;

import io.holdfast.Lease;
import io.holdfast.internal.time.LeaseTerms;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the face of a lock does with a hold, beyond what its owner may. */
public interface HeldLease extends Lease {

    /** The holds that it is made of: itself, or the parts of a multi-lock. */
    default List<? extends HeldLease> parts() {
        return List.of(this);
    }

    /** How often the owner has entered. */
    int count();

    /** Enters once more if the hold is still good; local, no round trip. */
    boolean tryEnter(LeaseTerms terms);

    /** The caller has been told of an entry that was reserved for it: it is held from now on. */
    void confirm();

    /**
     * The caller does not take an entry that was reserved for it; with the last one the lock is given back.
     *
     * @return completes when the store knows of it
     */
    CompletableFuture<Void> cancel();

    /** Takes one entering back, and gives the lock back with the last. */
    void undo();

    /** {@link #extend} without waiting. */
    CompletableFuture<Void> extendAsync(Duration lease);

    /** {@link #closeAfter} without waiting. */
    CompletableFuture<Void> closeAfterAsync(Duration delay);

    /** From now on it is not renewed any more. */
    void stopKeeping();

    /** A client that closes does not give it back from now on, but leaves it to its lease. */
    default void leaveToLease() {}
}
