package io.holdfast.simulation;

import io.holdfast.Lease;
import io.holdfast.internal.Inside;

/** One holder's belief that it has the lock, from the first moment on. */
final class Belief {

    final SimProcess process;
    final Lease lease;
    final String name;
    final String claim;
    final long token;
    final long beganAt;

    /** Whether it has been seen to be over. */
    boolean over;

    long overAt;
    int told;

    /** How often its owner has entered, since when, and whether the store has been asked about it. */
    int count;

    long countSince;
    boolean counted;

    Belief(SimProcess process, Lease lease) {
        this.process = process;
        this.lease = lease;
        this.name = lease.name();
        this.claim = Inside.claimId(lease);
        this.token = lease.token();
        this.beganAt = process.world.now();
    }

    /** Whether its holder, asked now, would say that it has the lock. */
    boolean isHeld() {
        return !process.isCrashed() && Inside.believes(lease, process.nanos());
    }

    boolean isReleased() {
        return Inside.isReleased(lease);
    }

    @Override
    public String toString() {
        return process + " on " + name + " with token " + token + " (" + claim + ")";
    }
}
