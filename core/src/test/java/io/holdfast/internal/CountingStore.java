package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Release;
import io.holdfast.spi.Standing;
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
    public CompletionStage<Outcome> claim(Claim claim) {
        claims++;
        return super.claim(claim);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        releases++;
        return super.release(claim);
    }

    @Override
    public CompletionStage<Map<String, Standing>> renew(List<Claim> batch) {
        renewals++;
        return super.renew(batch);
    }
}
