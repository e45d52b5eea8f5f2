package io.holdfast;

import java.util.List;

/**
 * What the store knew of one lock or semaphore at one moment. It is for people and for monitoring: by the time it is read
 * it may already be otherwise.
 *
 * @param name the lock or semaphore
 * @param permits how many permits a semaphore has, free or not, or -1 if the store does not know of it; 0 for
 *     a lock
 * @param holders who holds it, empty when it is free
 * @param waiters the claims that wait in the store's queue, in order. A plain lock has one for each client that waits for it, and
 *     none for the threads that wait behind another one of their client
 * @param localWaiters the callers of the client that looks, which the store does not know one by one; with {@link Holdfast#inspect} and
 *     {@link DistributedSemaphore#inspect} only
 */
public record LockState(
        String name, int permits, List<Claimant> holders, List<Claimant> waiters, List<LocalWaiter> localWaiters) {

    public LockState {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
        localWaiters = List.copyOf(localWaiters);
    }

    /** As a store knows it. */
    public LockState(String name, int permits, List<Claimant> holders, List<Claimant> waiters) {
        this(name, permits, holders, waiters, List.of());
    }

    /** A lock. */
    public LockState(String name, List<Claimant> holders, List<Claimant> waiters) {
        this(name, 0, holders, waiters);
    }

    /** The same with the callers of the client that looks. */
    public LockState withLocalWaiters(List<LocalWaiter> local) {
        return new LockState(name, permits, holders, waiters, local);
    }

    public boolean isLocked() {
        return !holders.isEmpty();
    }
}
