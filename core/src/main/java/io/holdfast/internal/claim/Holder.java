package io.holdfast.internal.claim;

import io.holdfast.LossReason;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What stands behind a claim in this client: it knows whose the claim is, and what is to be done when that ends. */
public interface Holder {

    ClaimContext engine();

    /** The name that is claimed. */
    String name();

    /** What is claimed of it. */
    Mode mode();

    /** The claim as the store is told of it, for that long. It is made when it is needed: most of the time it isn't. */
    Claim claim(ActiveClaim activeClaim, Duration lease);

    /** Runs a step alone. The methods below that say "in a step" are called in one. */
    void strand(Runnable step);

    /** From anywhere: the hold, if that is easily said; it may have ended by then. */
    default @Nullable Hold hold() {
        return null;
    }

    /** In a step: the hold, if there is one; its time may be over. */
    @Nullable
    Hold lastHold();

    /** In a step: the hold; if its time is over by now, it is lost and its owner is told. */
    @Nullable
    Hold verifyHold(long now);

    default @Nullable Hold verifyHold() {
        return verifyHold(engine().now());
    }

    /**
     * In a step: the hold has ended before it was given back, and its owner is told.
     *
     * @param text the reason in words
     */
    void lose(Hold held, LossReason reason, String text);

    /**
     * In a step: the store has said whether it still has a claim that no local owner holds any more, and until when.
     *
     * @param deadline until when it may be believed in if it has
     */
    default void renewedUnheld(ActiveClaim kept, boolean held, long deadline) {}

    /**
     * Leaves a hold, whose owner has left it, for the next local holder, if that can be done at once; otherwise it is to be
     * {@linkplain #release released}.
     */
    default boolean tryLeaveForNext(Hold released) {
        return false;
    }

    /** Releases the hold; {@code done} fails if it had ended before. */
    void release(Hold released, CompletableFuture<Void> done);
}
