package io.holdfast.tck;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store that a client is cut off from, as one whose process stands still or has died without closing its connections: no
 * command runs any more, and no notification is heard, though the store still believes that it listens.
 */
final class CutStore extends ForwardingStore {

    private volatile boolean cut;

    CutStore(LockStore store) {
        super(store);
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
    }

    private <T> CompletionStage<T> unlessCut(Supplier<CompletionStage<T>> command) {
        return cut ? new CompletableFuture<>() : command.get();
    }

    private void unlessCut(Runnable notification) {
        if (!cut) {
            notification.run();
        }
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return unlessCut(() -> super.claim(claim));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return unlessCut(() -> super.renew(claims));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return unlessCut(() -> super.release(claim));
    }

    @Override
    public Subscription watch(Resource resource, Runnable changed) {
        return super.watch(resource, () -> unlessCut(changed));
    }

    @Override
    public Subscription subscribe(String client, ClaimListener listener) {
        return super.subscribe(client, new ClaimListener() {
            @Override
            public void turnReached(String claimId) {
                unlessCut(() -> listener.turnReached(claimId));
            }

            @Override
            public void revocationRequested(String claimId) {
                unlessCut(() -> listener.revocationRequested(claimId));
            }

            @Override
            public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
                unlessCut(() -> listener.granted(claimId, ticket, grant));
            }

            @Override
            public void resync() {
                unlessCut(listener::resync);
            }
        });
    }
}
