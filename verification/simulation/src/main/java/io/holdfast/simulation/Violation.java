package io.holdfast.simulation;

/**
 * Something that must never happen, and did.
 *
 * @param check which promise was broken
 * @param message how
 */
public record Violation(Check check, String message) {

    /** What the engine promises; see the invariants in the project's design. */
    public enum Check {
        /** Writers believe alone, readers with readers, those with permits in no more than there are. */
        EXCLUSION,
        /** No token is given twice; a writer's is greater than all before, a reader's than all writers' before. */
        TOKENS_RISE,
        /** Whoever loses a lease is told, once, in time, and it never comes back. */
        LOSS_TOLD,
        /** What the watchdog keeps is not lost while everything works, nor is a place in the store's queue. */
        KEPT,
        /** A lock that is free is had by somebody who waits for it, in its turn; a time-out is kept; every call ends. */
        NO_HANG,
        /** What nobody holds is given back, and no queue, timer, watch, claim or place stays. */
        NOTHING_LEAKED,
        /** A hand-over costs the store a few commands, however many clients wait. */
        COST,
        /** No client that waits is passed by another one again and again. */
        NO_STARVATION,
        /** The callers of one client are served in the order in which they asked, fair claims as the store saw them. */
        FIFO,
        /** The store knows how often the holder has entered. */
        COUNTED,
        /** Listeners hear of each hold's beginning, then of its renewals, then of its end. */
        LISTENED,
        /** What a caller is told is true. */
        HONEST,
        /** The engine finds no mistake in itself. */
        NO_ERROR
    }

    @Override
    public String toString() {
        return check + ": " + message;
    }
}
