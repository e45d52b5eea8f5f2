package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A gate over all processes that use the same store: it is set to a count once, and opens when it has been counted down
 * that often. It stays open. The store keeps it for a week after it was last used; waiting uses it.
 *
 * <p>Whoever waits before it is set waits for that too. Deleting a latch releases those who are seen to wait for it with a
 * {@link HoldfastException} that says so, and so does setting it anew behind their backs, or a store that loses it. Who
 * waits hears of a change when the store tells of it, and within a second if it does not.
 *
 * <p><b>Interrupts.</b> {@code await} can be interrupted and leaves nothing behind; the other methods can't, and keep the
 * flag.
 *
 * <p><b>Failures.</b> A command that the store does not answer is repeated until the client's time-out, and takes effect
 * once however often it arrives. Then {@link StoreUnavailableException}: whether it took effect is not known, and only
 * {@link #countDown(String)} with the same id may be called again without risk. {@link StoreRefusedException} and
 * {@link ClientClosedException} are as in {@link DistributedLock}; asynchronous methods fail with the same, and their
 * continuations run on the client's callback executor.
 */
public interface DistributedLatch {

    String getName();

    /**
     * Sets the count if the latch is not set, open or not.
     *
     * @param count at least 1
     * @return whether this call set it
     */
    boolean trySetCount(long count);

    /** {@link #trySetCount} without waiting. */
    CompletableFuture<Boolean> trySetCountAsync(long count);

    /** Counts down by one. Does nothing if the latch is open or not set. */
    void countDown();

    /**
     * Counts down by one, unless the same id has done so before, in whatever process: for work that may be run again. An
     * id that has counted is spent for every latch of this name, also for one that is set after this one was deleted.
     * Does nothing if the latch is open or not set.
     *
     * @param id anything that a name of a lock may be
     */
    void countDown(String id);

    /** {@link #countDown()} without waiting; if it is cancelled, it may have counted. */
    CompletableFuture<Void> countDownAsync();

    /** {@link #countDown(String)} without waiting; if it is cancelled, it may have counted. */
    CompletableFuture<Void> countDownAsync(String id);

    /** How often it has to be counted down yet; 0 if it is open or not set. One round trip. */
    long getCount();

    /** {@link #getCount()} without waiting. */
    CompletableFuture<Long> getCountAsync();

    /**
     * Waits until the latch opens.
     *
     * @throws HoldfastException if it was deleted meanwhile
     */
    void await() throws InterruptedException;

    /**
     * Waits at most this long; the answer is whether the latch is open. A wait of zero or less asks the store once; one
     * that is shorter than the way to the store hears its first answer, if that takes less than a tenth of a second.
     *
     * @throws HoldfastException if it was deleted meanwhile
     * @throws StoreUnavailableException if the store gave no answer at all in that time
     */
    boolean await(long wait, TimeUnit unit) throws InterruptedException;

    /** {@link #await(long, TimeUnit)}. */
    boolean await(Duration wait) throws InterruptedException;

    /** Completes when the latch opens; cancelling it ends the waiting. */
    CompletableFuture<Void> awaitAsync();

    /** Completes when the latch opens, or after this long; the answer is whether it is open. Cancelling it ends the waiting. */
    CompletableFuture<Boolean> awaitAsync(Duration wait);

    /** Deletes the latch, open or not; it can then be set anew. The answer is whether there was one. Two round trips. */
    boolean delete();

    /** {@link #delete()} without waiting. */
    CompletableFuture<Boolean> deleteAsync();
}
