package io.holdfast.tck;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;

/** Passes each notification on to another listener. */
public class ForwardingListener implements ClaimListener {

    private final ClaimListener to;

    public ForwardingListener(ClaimListener to) {
        this.to = to;
    }

    @Override
    public void turnReached(String claimId) {
        to.turnReached(claimId);
    }

    @Override
    public void revocationRequested(String claimId) {
        to.revocationRequested(claimId);
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        to.granted(claimId, ticket, grant);
    }

    @Override
    public void resync() {
        to.resync();
    }
}
