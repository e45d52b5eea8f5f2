package io.holdfast;

import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the locks and semaphores of one client, as a {@link LockListener} is told. Durations are by the client's
 * monotonic clock. A later version may add components to these records, and not take any away.
 *
 * <p>A hold is known by its name, type and token. Its life is one {@link Granted}, any number of {@link Renewed} and {@link
 * RenewalFailed}, and one {@link Released} or {@link Lost}; a release that comes to nothing is followed by a loss.
 */
public sealed interface LockEvent {

    /** The lock or semaphore. */
    String name();

    /** What is asked for or held: the lock alone, shared, or permits. */
    Mode mode();

    /** What the name stands for. */
    default ResourceType type() {
        return mode().type();
    }

    /**
     * A caller asks for something that its owner does not hold.
     *
     * @param permits how many permits; 1 for a lock
     */
    record Requested(String name, Mode mode, int permits) implements LockEvent {}

    /**
     * The request has to wait: the lock is taken, or other requests come first.
     *
     * @param context what this listener returned from {@link LockListener#requested}
     */
    record Waiting(String name, Mode mode, @Nullable Object context) implements LockEvent {}

    /**
     * The caller has what it asked for.
     *
     * @param permits how many permits; 1 for a lock
     * @param token the fencing token
     * @param path where it came from
     * @param after how long after the request
     * @param context what this listener returned from {@link LockListener#requested}
     */
    record Granted(
            String name,
            Mode mode,
            int permits,
            long token,
            Path path,
            Duration after,
            @Nullable Object context) implements LockEvent {

        /** Where a grant comes from. */
        public enum Path {
            /** The store granted it. */
            STORE,
            /** Another caller of this client left it, and the store was not asked. */
            HAND_OFF,
            /** The client had kept it, by {@link LockOptions#linger}, and the store was not asked. */
            LINGER
        }
    }

    /**
     * The caller does not get what it asked for.
     *
     * @param cause why not
     * @param after how long after the request
     * @param failure what the caller is told, if that is a failure
     * @param context what this listener returned from {@link LockListener#requested}
     */
    record NotGranted(
            String name,
            Mode mode,
            Cause cause,
            Duration after,
            @Nullable Throwable failure,
            @Nullable Object context) implements LockEvent {

        /** Why a request is not granted. */
        public enum Cause {
            /** It was taken for as long as the caller wanted to wait; with a {@code tryLock()} that is no time at all. */
            TIMED_OUT,
            /** The waiting thread was interrupted. */
            INTERRUPTED,
            /** The caller cancelled or completed its future, or a multi-lock no longer needs this one of its locks. */
            CANCELLED,
            /** The store, or the client itself, said no, and would say so again. */
            REFUSED,
            /** It could not be asked for: the store does not answer, or the client was closed. */
            FAILED
        }
    }

    /**
     * The store has extended the lease.
     *
     * @param token the fencing token of the hold
     */
    record Renewed(String name, Mode mode, long token) implements LockEvent {}

    /**
     * A renewal was not answered, or failed. It is sent again as long as the lease lasts.
     *
     * @param token the fencing token of the hold
     * @param timeLeft until the lease is over, if no renewal succeeds
     * @param failure why
     */
    record RenewalFailed(String name, Mode mode, long token, Duration timeLeft, Throwable failure)
            implements LockEvent {}

    /**
     * The lease ended before it was given back, or the store no longer had it when it was.
     *
     * @param token the fencing token of the hold
     * @param reason why
     * @param text the same in words, as messages say it
     * @param held how long after the grant
     * @param released whether a {@link Released} of this hold came before
     */
    record Lost(String name, Mode mode, long token, LossReason reason, String text, Duration held, boolean released)
            implements LockEvent {}

    /**
     * The holder gave it back. If the store then says that it no longer had it, {@link Lost} follows.
     *
     * @param token the fencing token of the hold
     * @param held how long after the grant
     */
    record Released(String name, Mode mode, long token, Duration held) implements LockEvent {}
}
