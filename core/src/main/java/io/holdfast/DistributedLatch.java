package io.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A gate over all processes that use the same store: it is set to a count once, and opens when it has been counted down
 * that often. It stays open. The store keeps it for a week after it was last used.
 *
 * <p>Whoever waits before it is set waits for that too. Deleting a latch that is not open releases those who wait for it
 * with a {@link HoldfastException}; the same happens when the store loses it.
 *
 * <p>Interrupts and failures are as in {@link DistributedLock}: the waits can be interrupted, and nothing is left behind.
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

    /** Counts down by one, once however often the command has to be repeated. Does nothing if the latch is open. */
    void countDown();

    /**
     * Counts down by one, unless the same id has done so before, in whatever process: for work that may be run again.
     *
     * @param id anything that a name of a lock may be
     */
    void countDown(String id);

    CompletableFuture<Void> countDownAsync();

    CompletableFuture<Void> countDownAsync(String id);

    /** How often it has to be counted down yet; 0 if it is open or not set. One round trip. */
    long getCount();

    /** Waits until the latch opens. */
    void await() throws InterruptedException;

    /** Waits at most this long; the answer is whether the latch is open. */
    boolean await(long wait, TimeUnit unit) throws InterruptedException;

    /** Waits at most this long; the answer is whether the latch is open. */
    boolean await(Duration wait) throws InterruptedException;

    /** Completes when the latch opens; cancelling it ends the waiting. */
    CompletableFuture<Void> awaitAsync();

    /** Completes when the latch opens, or after this long; the answer is whether it is open. */
    CompletableFuture<Boolean> awaitAsync(Duration wait);

    /** Deletes the latch; it can then be set anew. The answer is whether there was one. */
    boolean delete();
}
