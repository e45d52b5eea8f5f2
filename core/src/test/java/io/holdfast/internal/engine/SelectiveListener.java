package io.holdfast.internal.engine;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import java.util.function.BooleanSupplier;

/** Hears calls, and grants by them, only at times. */
record SelectiveListener(ClaimListener listener, BooleanSupplier hearsCalls, BooleanSupplier hearsGrants)
        implements ClaimListener {

    @Override
    public void called(String claimId) {
        if (hearsCalls.getAsBoolean()) {
            listener.called(claimId);
        }
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        if (hearsGrants.getAsBoolean()) {
            listener.granted(claimId, ticket, grant);
        }
    }
}
