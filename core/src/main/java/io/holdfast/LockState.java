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
 */
public record LockState(String name, int permits, List<Claimant> holders, List<Claimant> waiters) {

    public LockState {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    /** A lock. */
    public LockState(String name, List<Claimant> holders, List<Claimant> waiters) {
        this(name, 0, holders, waiters);
    }

    public boolean isLocked() {
        return !holders.isEmpty();
    }
}
