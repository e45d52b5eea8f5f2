package io.holdfast.tck;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs every command, and loses every third answer, as a connection does that breaks at the wrong moment. */
final class LossyStore extends ForwardingStore {

    private final AtomicInteger answers = new AtomicInteger();

    LossyStore(LockStore store) {
        super(store);
    }

    private <T> CompletionStage<T> lossy(CompletionStage<T> answer) {
        return answer.thenCompose(result -> answers.incrementAndGet() % 3 == 0
                ? CompletableFuture.failedFuture(new StoreUnavailableException("the answer was lost on purpose"))
                : CompletableFuture.completedFuture(result));
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return lossy(super.claim(claim));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return lossy(super.renew(claims));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return lossy(super.release(claim));
    }

    @Override
    public CompletionStage<Integer> addPermits(String name, String id, int by, int capacity) {
        return lossy(super.addPermits(name, id, by, capacity));
    }

    @Override
    protected LatchStore latches() {
        return new ForwardingLatches(super.latches()) {
            @Override
            protected <T> CompletionStage<T> pass(CompletionStage<T> answer) {
                return lossy(answer);
            }
        };
    }
}
