package io.holdfast.tck;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs every command at once, and keeps the answers back for as long as a test wants. */
final class LateStore extends ForwardingStore {

    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    LateStore(LockStore store) {
        super(store);
    }

    void withholdAnswers() {
        gate = new CompletableFuture<>();
    }

    void answer() {
        gate.complete(null);
    }

    private <T> CompletionStage<T> late(CompletionStage<T> answer) {
        return gate.thenCombine(answer, (open, result) -> result);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return late(super.claim(claim));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return late(super.renew(claims));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return late(super.release(claim));
    }
}
