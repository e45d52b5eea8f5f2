package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lock that is held: the handle on one grant. It belongs to whoever has the object, not to a thread, and may be passed
 * on and closed anywhere.
 *
 * <p>A lease is believed only until its local deadline, which is never later than the store's own expiry. Once it is
 * lost it stays lost.
 */
public interface Lease extends AutoCloseable {

    /** The name of the lock. */
    String name();

    /**
     * The fencing token: greater than that of every earlier grant of this name. Hand it to the guarded resource with
     * each write and have it refuse a smaller one than it has seen; that closes the gap that no lease can, a holder
     * that was paused between checking its lease and writing.
     */
    long token();

    /** Whether the lock is still held. Local and cheap; once {@code false}, always {@code false}. */
    boolean isValid();

    /**
     * How long the lease lasts if it is not renewed; zero once it has ended. A lease that was handed over by {@code acquire} is
     * whole at first; that of a thread that had to wait for {@code lock()} may be shorter for some milliseconds.
     */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now; it never gets shorter. One round trip.
     *
     * @throws LeaseLostException if it has already ended
     * @throws StoreUnavailableException if the store did not answer; the lease is then as long as it was
     */
    void extend(Duration lease);

    /**
     * Runs the action once, on the client's callback executor, when the lease is lost: it ran out, could not be renewed
     * in time, or the store says that it is gone. At once if that has already happened; never after a close.
     */
    void onLost(Consumer<? super Lease> action);

    /**
     * Gives the lock back, however often its owner has entered it. A second close does nothing.
     *
     * @throws LeaseLostException if the lease had ended before
     * @throws StoreUnavailableException if the store did not confirm; the lock then ends by its lease at the latest
     */
    @Override
    void close();

    /**
     * Gives the lock back when that time has passed, and not before: for work that must not be done again too soon. The lease is extended to that
     * time at once, and stays when the client is closed before it is over, or the process ends: then it ends by itself, at that time or
     * when it would have ended anyway. One round trip. Until then the owner may still {@linkplain #close() close} it earlier.
     *
     * @throws IllegalArgumentException if the time is not positive
     * @throws LeaseLostException if the lease has already ended
     * @throws StoreUnavailableException if the store did not confirm the extension; the lock is given back at that time even so, if the
     *     client lives for so long
     */
    void closeAfter(Duration delay);

    /** {@link #close()} without waiting; the future fails as {@code close} throws. */
    CompletableFuture<Void> closeAsync();
}
