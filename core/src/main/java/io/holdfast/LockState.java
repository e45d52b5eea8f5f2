package io.holdfast;

import java.util.List;

/**
 * What the store knew of one lock at one moment. It is for people and for monitoring: by the time it is read it may
 * already be otherwise.
 *
 * @param name the lock
 * @param holders who holds it, empty when it is free
 * @param waiters who waits, in order, where the store keeps a queue
 */
public record LockState(String name, List<Claimant> holders, List<Claimant> waiters) {

    public LockState {
        holders = List.copyOf(holders);
        waiters = List.copyOf(waiters);
    }

    public boolean isLocked() {
        return !holders.isEmpty();
    }
}
