package io.holdfast.quorum;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;

/** Tells a client what a node tells of its claims, which have other ids there. */
record NodeListener(ClaimListener client) implements ClaimListener {

    @Override
    public void turnReached(String claimId) {
        client.turnReached(ClaimState.idOf(claimId));
    }

    @Override
    public void revocationRequested(String claimId) {
        client.revocationRequested(ClaimState.idOf(claimId));
    }

    /** One node is no majority: nothing is asked to be granted on release. */
    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        turnReached(claimId);
    }

    @Override
    public void resync() {
        client.resync();
    }
}
