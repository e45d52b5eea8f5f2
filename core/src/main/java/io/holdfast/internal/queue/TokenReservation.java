package io.holdfast.internal.queue;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.ActiveClaim;

/**
 * How many tokens a lingering claim reserves, one for each later local holder. More while they are used up, since more take
 * a release and another claim. Few where other clients ask for the lock: unused tokens are lost, and put a store that counts
 * by its clock ahead of it.
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
