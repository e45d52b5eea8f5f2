package io.holdfast.redis;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.tck.ForwardingStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Answers when all nodes of a quorum have done what was asked, and not only a majority: for tests in which the next one to
 * ask must not find a node that has not heard of it yet.
 */
final class SettledStore extends ForwardingStore {

    SettledStore(LockStore quorum) {
        super(quorum);
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return super.claim(claim).thenCompose(outcome -> settled(claim, outcome));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return super.release(claim).thenCompose(release -> settled(claim, release));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        CompletionStage<Map<String, ClaimStatus>> renewed = super.renew(claims);
        // One look is enough: commands to a node are not overtaken.
        return claims.isEmpty() ? renewed : renewed.thenCompose(statuses -> settled(claims.get(0), statuses));
    }

    /** All nodes answer a look, each after what it was told before. */
    private <T> CompletionStage<T> settled(Claim claim, T answer) {
        return inspect(claim.resource()).thenApply(seen -> answer);
    }
}
