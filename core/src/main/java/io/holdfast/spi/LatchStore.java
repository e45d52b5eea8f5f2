package io.holdfast.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Keeps latches: a capability of a {@link LockStore}, which may be another object. The commands are idempotent and fail as
 * commands of the store do. {@link LockStore#watch} of the latch tells when it is set, opens or is deleted.
 */
public interface LatchStore {

    /** How long a latch is kept after the last command that touched it, open or not. */
    Duration KEPT = Duration.ofDays(7);

    /** Sets the latch if there is none. The answer is the latch as it is then: if its id is this one, this set it. */
    CompletionStage<LatchState> set(String name, String id, long count);

    /**
     * Counts down by one, if there is a latch that is not open, and if this id has not counted before: not on this latch,
     * and not on one of that name that was deleted since. The answer is the latch as it is then.
     */
    CompletionStage<LatchState> countDown(String name, String id);

    /** The latch as it is. Waiting clients call this, which keeps the latch alive. */
    CompletionStage<LatchState> look(String name);

    /** Deletes the latch if it is the one with this id. The answer is whether it was. */
    CompletionStage<Boolean> delete(String name, String id);
}
