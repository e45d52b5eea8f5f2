package io.holdfast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A command that this client sent to its store, and that was answered or failed. One that is never answered is no event: whatever waits
 * for it says so.
 *
 * @param store the kind of store and where it is, without secrets
 * @param command which one
 * @param name the lock, semaphore or latch; {@code null} for a command that is about several, or about none
 * @param number how many claims it is about; 1 but for a renewal
 * @param took the time from sending it to the answer
 * @param outcome how it ended
 * @param failure what it failed with, if it did
 */
public record StoreCommandEvent(
        String store,
        Command command,
        @Nullable String name,
        int number,
        Duration took,
        Outcome outcome,
        @Nullable Throwable failure) {

    /** What a client asks of its store. */
    public enum Command {
        /** Asks for a lock or permits. */
        CLAIM,
        /** Renews leases and places in queues. */
        RENEW,
        /** Sets one lease for a caller. */
        EXTEND,
        /** Gives a lock, permits or a place in a queue back. */
        RELEASE,
        /** Ends a holder for an operator. */
        FORCE_RELEASE,
        /** Reads one lock or semaphore. */
        INSPECT,
        /** Reads what is held. */
        LIST,
        /** Changes how many permits a semaphore has. */
        ADD_PERMITS,
        /** Has later grants begin above a token. */
        RAISE_TOKENS,
        /** Reads or changes a latch. */
        LATCH
    }

    /** How a command ended. */
    public enum Outcome {
        /** The store did it, or said how things stand. */
        ANSWERED,
        /** The store said no. */
        REFUSED,
        /** The store could not be reached, or it is not known whether it did it. */
        FAILED
    }
}
