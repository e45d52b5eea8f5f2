package io.holdfast.tck;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import java.util.function.Consumer;

/**
 * Hears which claims a client is notified of, whatever the reason.
 *
 * @param hints gets the id of each
 * @param resyncs runs when notifications arrive from now on
 */
public record HintListener(Consumer<String> hints, Runnable resyncs) implements ClaimListener {

    /** Does not care when notifications begin to arrive. */
    public HintListener(Consumer<String> hints) {
        this(hints, () -> {});
    }

    @Override
    public void turnReached(String claimId) {
        hints.accept(claimId);
    }

    @Override
    public void revocationRequested(String claimId) {
        hints.accept(claimId);
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        hints.accept(claimId);
    }

    @Override
    public void resync() {
        resyncs.run();
    }
}
