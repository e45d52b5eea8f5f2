package io.holdfast.internal.election;

import io.holdfast.Leadership;
import java.util.concurrent.CompletionStage;

/** A {@link io.holdfast.Candidate} whose calls may go on after they have returned. They run on the callback executor. */
public interface CandidateCalls {

    /** Completes when the call has ended; a failure ends the leadership. */
    CompletionStage<Void> granted(Leadership leadership);

    /** Completes when the candidate has stopped. */
    CompletionStage<Void> revoked(Leadership leadership);

    void campaignFailed(Throwable failure);

    /** True if the current thread is in one of these calls, so that it must not wait for their end. */
    default boolean isCalling() {
        return false;
    }
}
