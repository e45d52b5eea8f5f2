package io.holdfast.internal;

import io.holdfast.spi.CallListener;
import io.holdfast.spi.Outcome;
import java.util.function.BooleanSupplier;

/** Hears calls, and grants by them, only at times. */
record SelectiveListener(CallListener listener, BooleanSupplier hearsCalls, BooleanSupplier hearsGrants)
        implements CallListener {

    @Override
    public void called(String claimId) {
        if (hearsCalls.getAsBoolean()) {
            listener.called(claimId);
        }
    }

    @Override
    public void granted(String claimId, long place, Outcome.Granted grant) {
        if (hearsGrants.getAsBoolean()) {
            listener.granted(claimId, place, grant);
        }
    }
}
