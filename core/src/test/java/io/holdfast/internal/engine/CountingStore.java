package io.holdfast.internal.engine;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Counts the commands that reach a store. */
final class CountingStore extends ForwardingStore {

    long claims;
    long releases;
    long renewals;

    CountingStore(LockStore store) {
        super(store);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        claims++;
        return super.claim(claim);
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        releases++;
        return super.release(claim);
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
        renewals++;
        return super.renew(batch);
    }
}
