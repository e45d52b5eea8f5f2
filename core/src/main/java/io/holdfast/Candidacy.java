package io.holdfast;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A {@link Candidate} that campaigns, from {@link Election#lead} to its close. */
public interface Candidacy extends AutoCloseable {

    /** The leadership, from before {@link Candidate#granted} is called until {@link Candidate#revoked} is about to be. */
    Optional<Leadership> leadership();

    /** Whether the candidate leads now. Local and cheap. */
    default boolean isLeading() {
        return leadership().map(Leadership::isValid).orElse(false);
    }

    /**
     * Has the candidate revoked, if it leads, waits until it has stopped and the leadership is given back, and campaigns again behind the
     * other candidates. Called by the candidate itself, from one of its callbacks, it does not wait.
     */
    void resign();

    /** {@link #resign()} without waiting. The future does not fail. */
    CompletableFuture<Void> resignAsync();

    /**
     * Campaigns no more: has the candidate revoked, if it leads, and waits until it has stopped and the leadership is given back, through
     * interrupts. Called by the candidate itself, from one of its callbacks, it does not wait. A second close does nothing but wait.
     *
     * <p>The close of the client does the same for all candidacies, and waits for half of the client's time-out. A leadership whose
     * candidate has not stopped by then is not given back, and ends by its lease.
     */
    @Override
    void close();

    /** {@link #close()} without waiting. The future does not fail. */
    CompletableFuture<Void> closeAsync();
}
