package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What stands behind a claim in this client: it knows whose the claim is, and what is to be done when that ends. */
interface Holder {

    /** Runs a step alone; those marked so below are called in one. */
    void strand(Runnable step);

    /** In a step: the hold, unless its time is over, which is then told. */
    @Nullable
    Hold currentHold();

    /** In a step: the hold has ended before it was given back, and its owner is told. */
    void lose(Hold held, String reason);

    /**
     * Lets a hold that its owner has left stay here for whoever comes next, if that can be done at once; otherwise it is to
     * be {@linkplain #release released}.
     */
    default boolean letLinger(Hold released) {
        return false;
    }

    /** Gives the hold back, whoever has it; {@code done} fails if it had ended before. */
    void release(Hold released, CompletableFuture<Void> done);
}
