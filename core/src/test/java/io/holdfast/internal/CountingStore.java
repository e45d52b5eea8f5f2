package io.holdfast.internal;

import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Standing;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Counts the renewals that reach a store. */
final class CountingStore extends ForwardingStore {

    long renewals;

    CountingStore(LockStore store) {
        super(store);
    }

    @Override
    public CompletionStage<Map<String, Standing>> renew(List<Claim> batch) {
        renewals++;
        return super.renew(batch);
    }
}
