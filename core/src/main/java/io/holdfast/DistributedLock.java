package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock over all processes that use the same store. Re-entrant; owned by a thread (or by the owner id given to an
 * asynchronous method), or by a handle when taken with {@link #acquire()}. The object is stateless and cheap, and two
 * objects of one name and client are the same lock.
 *
 * <p><b>Lease.</b> Taken without a lease time, the lock is kept by the watchdog: the client renews it every third of its
 * lease (30 s by default) while the process lives. Taken with a lease time it is never renewed and ends by itself. A
 * lease time is at least 1 ms (under 10 ms it counts as 10 ms, the least that survives a network) and at most 365 days
 * (more counts as that). In the methods that take a {@link TimeUnit}, {@code -1} stands for the watchdog.
 *
 * <p><b>Loss.</b> A lock can end before it is given back: the lease ran out, the store was unreachable for too long, or
 * somebody forced it. Then {@link Lease#isValid()} is false by the local deadline, {@link Lease#onLost} runs, and
 * {@link #unlock()} throws {@link LeaseLostException}.
 *
 * <p><b>Re-entry</b> is local and costs no round trip. A lease time nested in a longer hold never shortens it; a watchdog
 * lock nested in a leased hold renews it until the nested one is unlocked, and what is left of the lease then stays.
 *
 * <p><b>Interrupts.</b> {@link #lock()} and {@link #tryLock()} can't be interrupted and keep the flag; every other wait
 * throws {@link InterruptedException} and leaves nothing behind.
 *
 * <p><b>Order.</b> The threads of one client get a plain lock in the order in which they asked; only where it is held for
 * microseconds, one that comes along may have it while the next one is still waking up. Clients that wait get it in turn, but a
 * client that comes along may take it where it is just free; a client that passes the lock among its own threads does so for a
 * bounded time, and goes to the end of the queue then.
 * A fair lock ({@link LockOptions#fair()}) is had in the order in which the store saw those who asked, in any process.
 *
 * <p>Every method that talks to the store throws {@link StoreUnavailableException} when it got no answer for the
 * client's time-out, {@link StoreRefusedException} when the store said no, and {@link ClientClosedException} after
 * {@link Holdfast#close()}. Asynchronous methods fail with the same; their continuations run on the client's callback
 * executor, and cancelling the future cancels the acquisition.
 */
public interface DistributedLock extends Lock {

    /** What is locked. */
    String getName();

    // ---- held by a thread -------------------------------------------------------------------------------------

    /** Waits for as long as it takes; uninterruptible. One round trip when the lock is free. */
    @Override
    void lock();

    /** Takes the lock for at most this long. Uninterruptible. */
    void lock(long lease, TimeUnit unit);

    /** Takes the lock for at most this long. Uninterruptible. */
    void lock(Duration lease);

    @Override
    void lockInterruptibly() throws InterruptedException;

    void lockInterruptibly(long lease, TimeUnit unit) throws InterruptedException;

    /**
     * Takes the lock if it is free now; false if it is not. Asks the store once, or nobody if a thread here has it. For a client
     * that has just given the lock back while other clients waited for it, it is not free before these have had it.
     */
    @Override
    boolean tryLock();

    /**
     * Waits at most this long; a wait of zero or less does not wait. False means that somebody else has it, or may: a
     * store that has lost its data grants nothing until nobody can believe in a lock that it had granted before. A wait
     * that is shorter than the way to the store hears its first answer, if that takes less than a tenth of a second.
     *
     * @throws StoreUnavailableException if the store gave no answer at all in that time
     */
    @Override
    boolean tryLock(long wait, TimeUnit unit) throws InterruptedException;

    /** {@link #tryLock(long, TimeUnit)} with a lease time. */
    boolean tryLock(long wait, long lease, TimeUnit unit) throws InterruptedException;

    /** {@link #tryLock(long, TimeUnit)} with a lease time. */
    boolean tryLock(Duration wait, Duration lease) throws InterruptedException;

    /**
     * Gives one hold back, and with the last one the lock.
     *
     * @throws IllegalMonitorStateException if the current thread does not hold the lock
     * @throws LeaseLostException if it did, and the lease ended before this call; an unlock that leaves the thread inside
     *     may not have noticed yet, and then the last one says so
     * @throws StoreUnavailableException if the store did not confirm; the lock then ends by its lease at the latest
     */
    @Override
    void unlock();

    /** The current thread's lease. Closing it gives the lock back, however often the thread has entered it. */
    Lease lease();

    /** Runs the body under the lock. If both the body and {@link #unlock()} fail, the body's failure is thrown. */
    default <T> T withLock(Callable<T> body) throws Exception {
        lock();
        T result;
        try {
            result = body.call();
        } catch (Throwable failure) {
            try {
                unlock();
            } catch (RuntimeException second) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
        unlock();
        return result;
    }

    /** Not supported. */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    // ---- held by a handle -------------------------------------------------------------------------------------

    /** Waits for the lock; the lease owns it, so asking again in the same thread waits for the first to be closed. */
    Lease acquire() throws InterruptedException;

    /** {@link #acquire()} for at most this long. */
    Lease acquire(Duration lease) throws InterruptedException;

    /** Waits at most this long; zero does not wait. */
    Optional<Lease> tryAcquire(Duration wait) throws InterruptedException;

    /** Waits at most {@code wait} for a lock of at most {@code lease}. */
    Optional<Lease> tryAcquire(Duration wait, Duration lease) throws InterruptedException;

    CompletableFuture<Lease> acquireAsync();

    /** {@link #acquireAsync()} for at most this long. */
    CompletableFuture<Lease> acquireAsync(Duration lease);

    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait);

    /** Waits at most {@code wait} for a lock of at most {@code lease}. */
    CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, Duration lease);

    // ---- asynchronous, held by the calling thread or by an owner id -------------------------------------------

    CompletableFuture<Void> lockAsync();

    CompletableFuture<Void> lockAsync(long ownerId);

    CompletableFuture<Void> lockAsync(long lease, TimeUnit unit);

    CompletableFuture<Void> lockAsync(long lease, TimeUnit unit, long ownerId);

    CompletableFuture<Boolean> tryLockAsync();

    CompletableFuture<Boolean> tryLockAsync(long ownerId);

    CompletableFuture<Boolean> tryLockAsync(long wait, TimeUnit unit);

    CompletableFuture<Boolean> tryLockAsync(long wait, long lease, TimeUnit unit);

    CompletableFuture<Boolean> tryLockAsync(long wait, long lease, TimeUnit unit, long ownerId);

    CompletableFuture<Void> unlockAsync();

    CompletableFuture<Void> unlockAsync(long ownerId);

    // ---- looking ----------------------------------------------------------------------------------------------

    /** Whether anybody holds the lock, in any process; of a read/write lock's side, whether it is held in that mode. One round trip. */
    boolean isLocked();

    CompletableFuture<Boolean> isLockedAsync();

    boolean isHeldByCurrentThread();

    /** Whether this client's owner of that id (a thread id, or what was given to an async method) holds the lock. */
    boolean isHeldByThread(long ownerId);

    /** {@link #isHeldByThread(long)}; completes at once, since the client knows. */
    CompletableFuture<Boolean> isHeldByThreadAsync(long ownerId);

    /** How often the current thread has entered; zero if it does not hold the lock. */
    int getHoldCount();

    /** {@link #getHoldCount()} of the calling thread; completes at once, since the client knows. */
    CompletableFuture<Integer> getHoldCountAsync();

    /** {@link #getHoldCount()} of that owner. */
    CompletableFuture<Integer> getHoldCountAsync(long ownerId);

    /** Milliseconds until the lock ends unless renewed, whoever holds it; {@code -2} if it is free. One round trip. */
    long remainTimeToLive();

    CompletableFuture<Long> remainTimeToLiveAsync();

    /**
     * Takes the lock away from whoever holds it. The holder is told at its next renewal, or, if it has a lease time and
     * so is not renewed, when it unlocks or its lease ends. Of a read/write lock's side it takes what is held in that mode: that
     * of the read lock leaves a writer alone, and that of the write lock leaves readers alone.
     *
     * @return whether it was held
     */
    boolean forceUnlock();

    CompletableFuture<Boolean> forceUnlockAsync();
}
