package io.holdfast.internal.engine;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import java.util.function.BooleanSupplier;

/** Passes hints on, and grants, only at times. */
record SelectiveListener(ClaimListener listener, BooleanSupplier hearsHints, BooleanSupplier hearsGrants)
        implements ClaimListener {

    @Override
    public void turnReached(String claimId) {
        if (hearsHints.getAsBoolean()) {
            listener.turnReached(claimId);
        }
    }

    @Override
    public void revocationRequested(String claimId) {
        if (hearsHints.getAsBoolean()) {
            listener.revocationRequested(claimId);
        }
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        if (hearsGrants.getAsBoolean()) {
            listener.granted(claimId, ticket, grant);
        }
    }

    @Override
    public void resync() {
        if (hearsHints.getAsBoolean()) {
            listener.resync();
        }
    }
}
