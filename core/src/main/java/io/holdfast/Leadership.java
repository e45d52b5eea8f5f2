package io.holdfast;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A leadership that was won: the lease on it. It is renewed until it is given back or lost. */
public interface Leadership extends Lease {

    /** What the followers are shown, if the candidate gave a value. */
    Optional<String> value();

    /** Gives the leadership back, and the next candidate leads. The same as {@link #close()}. */
    default void resign() {
        close();
    }

    /** {@link #resign()} without waiting. */
    default CompletableFuture<Void> resignAsync() {
        return closeAsync();
    }
}
