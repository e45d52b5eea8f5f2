package io.holdfast.internal.queue;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.ActiveClaim;

/**
 * How many tokens a lock that lingers is asked for with, each of which is for one who takes it up. More while they are used
 * up, since asking for more takes a release and a claim. Few where others ask for the lock: those that are not used are lost,
 * and a store that counts by its clock would be ahead of it by them.
 */
final class TokenReservation {

    private volatile int size = Tuning.LEAST_LINGER_TOKENS;

    int size() {
        return size;
    }

    /** A claim that lingered is given back. */
    void ended(ActiveClaim claim) {
        if (claim.isAskedFor()) {
            size = Tuning.LEAST_LINGER_TOKENS;
        } else if (!claim.hasToken()) {
            size = Math.min(Tuning.MOST_LINGER_TOKENS, size * 2);
        }
    }
}
