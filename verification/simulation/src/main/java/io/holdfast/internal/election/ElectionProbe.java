package io.holdfast.internal.election;

import io.holdfast.Candidacy;
import io.holdfast.Leadership;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.lock.LockFactory;

/** Elections as the simulation uses them: with candidates whose calls take simulated time. */
public final class ElectionProbe {

    private ElectionProbe() {}

    public static Candidacy lead(LockFactory locks, String name, CandidateCalls candidate) {
        return locks.election(name, LockOptions.defaults()).lead(candidate);
    }

    /** The hold behind a leadership. */
    public static Lease hold(Leadership leadership) {
        return ((LeaderLease) leadership).held();
    }
}
