package io.holdfast.internal.claim;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import org.jspecify.annotations.Nullable;

/** A claim that {@link RenewalBatches} tells the store of again. */
interface Renewable {

    /** What the store is told, as it is then. */
    Claim toRenew();

    /** When there has to be an answer at the latest. */
    long answerBy(long now);

    /** The store has said how it stands, or nothing. */
    void renewed(Claim claim, long sentAt, @Nullable ClaimStatus status, @Nullable Throwable failure);

    /** It was sent in a batch a while ago, and the store has not said how all claims of the batch stand. */
    void unanswered();

    /** A renewal failed, or was left without an answer; told once for each that is sent, for the listeners. */
    default void renewalFailed(Throwable failure) {}
}
