package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A number of permits over all processes that use the same store. Never more are out than there are.
 *
 * <p><b>How many there are</b> is kept at the store. {@link Holdfast#semaphore} says how many there are if the store does
 * not know of the semaphore yet (it forgets one that nobody has used for a day); where it does, what it knows counts.
 * {@link #addPermits} changes it for everybody.
 *
 * <p><b>Who has them.</b> What is taken with {@code acquire} and {@code tryAcquire} belongs to this client, whichever thread
 * took it, and {@link #release(int)} gives it back, what was taken last first. What is taken with {@code acquireLease}
 * belongs to the {@link Lease} and is given back by closing that. Either way it is a lease: kept by the watchdog while
 * the process lives, or for a lease time of its own; so a crash gives it back. A lease that ends before that is lost, as
 * that of a lock is: {@link Lease#onLost} and {@link LockListener#lost} tell, and {@code release} throws
 * {@link LeaseLostException}.
 *
 * <p><b>More than there are</b> can't be had: asking for more permits than the semaphore has throws
 * {@link StoreRefusedException} at once, also from those that wait when the number is reduced.
 *
 * <p><b>Order.</b> Those who wait are served in the order in which they came. A fair semaphore ({@link LockOptions#fair()})
 * lets nobody pass them; otherwise a newcomer may, if there are enough permits for it. {@link #tryAcquire(int)} always
 * may.
 *
 * <p>Interrupts, time-outs and failures are as in {@link DistributedLock}.
 */
public interface DistributedSemaphore {

    String getName();

    // ---- held by this client ----------------------------------------------------------------------------------

    /** Waits for a permit. */
    void acquire() throws InterruptedException;

    /** Waits for that many permits, all at once; none are had at once, as in {@link java.util.concurrent.Semaphore}. */
    void acquire(int permits) throws InterruptedException;

    /** Waits for that many permits, for at most this long. */
    void acquire(int permits, Duration lease) throws InterruptedException;

    void acquireUninterruptibly(int permits);

    /** Takes a permit if there is one now. */
    boolean tryAcquire();

    /** Takes that many permits if there are as many now, whoever waits; throws if there never are as many. */
    boolean tryAcquire(int permits);

    boolean tryAcquire(long wait, TimeUnit unit) throws InterruptedException;

    /** Waits at most this long for a permit. */
    boolean tryAcquire(Duration wait) throws InterruptedException;

    /** Waits at most this long; a wait of zero or less does not wait, and gives way to those who do. */
    boolean tryAcquire(int permits, long wait, TimeUnit unit) throws InterruptedException;

    /** Waits at most {@code wait} for permits that last for at most {@code lease}. */
    boolean tryAcquire(int permits, Duration wait, Duration lease) throws InterruptedException;

    CompletableFuture<Void> acquireAsync(int permits);

    /** {@link #acquire(int, Duration)} without waiting. */
    CompletableFuture<Void> acquireAsync(int permits, Duration lease);

    /** {@link #tryAcquire(int)} without waiting. */
    CompletableFuture<Boolean> tryAcquireAsync(int permits);

    CompletableFuture<Boolean> tryAcquireAsync(int permits, Duration wait);

    /** {@link #tryAcquire(int, Duration, Duration)} without waiting. */
    CompletableFuture<Boolean> tryAcquireAsync(int permits, Duration wait, Duration lease);

    /** Gives one permit back. */
    void release();

    /**
     * Gives that many permits back.
     *
     * @throws IllegalMonitorStateException if this client has fewer; then none is given back
     * @throws LeaseLostException if some of them were lost before this call; the others are given back
     */
    void release(int permits);

    CompletableFuture<Void> releaseAsync(int permits);

    /**
     * Takes the permits that are free now, whoever waits; the answer is how many. Others may take some between its looking
     * and its taking, and then it looks again.
     */
    int drainPermits();

    // ---- held by a handle -------------------------------------------------------------------------------------

    /** Waits for that many permits, which the lease owns. */
    Lease acquireLease(int permits) throws InterruptedException;

    /** {@link #acquireLease(int)} for at most this long. */
    Lease acquireLease(int permits, Duration lease) throws InterruptedException;

    Optional<Lease> tryAcquireLease(int permits, Duration wait) throws InterruptedException;

    Optional<Lease> tryAcquireLease(int permits, Duration wait, Duration lease) throws InterruptedException;

    CompletableFuture<Lease> acquireLeaseAsync(int permits);

    /** {@link #acquireLease(int, Duration)} without waiting. */
    CompletableFuture<Lease> acquireLeaseAsync(int permits, Duration lease);

    CompletableFuture<Optional<Lease>> tryAcquireLeaseAsync(int permits, Duration wait);

    /** {@link #tryAcquireLease(int, Duration, Duration)} without waiting. */
    CompletableFuture<Optional<Lease>> tryAcquireLeaseAsync(int permits, Duration wait, Duration lease);

    /**
     * Gives some of a lease's permits back; the lease keeps the others, and its token.
     *
     * @param lease one that this client's semaphore of this name gave
     * @param permits fewer than the lease has, or all, which closes it
     * @throws IllegalMonitorStateException if the lease has fewer, or is closed; then none is given back
     * @throws LeaseLostException if the lease ended before this call
     */
    void release(Lease lease, int permits);

    // ---- whoever holds them -----------------------------------------------------------------------------------

    /**
     * Gives back the permits that were taken with this token, by whichever process: {@link Lease#token()} is the id of a grant
     * that can be sent to another process, as Redisson's permit id is. To the client that took them they are lost: it is told at
     * its next renewal, or at its next use of the lease. So take what another process is to give back with
     * a lease time, {@link #acquireLease(int, Duration)}, and let go of the lease.
     *
     * @return whether they were out; after a lost answer a repetition says {@code false}
     */
    boolean tryRelease(long token);

    /** {@link #tryRelease(long)} without waiting. */
    CompletableFuture<Boolean> tryReleaseAsync(long token);

    // ---- how many there are -----------------------------------------------------------------------------------

    /** How many permits are free; below zero when there were more when they were taken. One round trip. */
    int availablePermits();

    /** {@link #availablePermits()} without waiting. */
    CompletableFuture<Integer> availablePermitsAsync();

    /** How many permits are out, whoever has them. One round trip. */
    int acquiredPermits();

    /** {@link #acquiredPermits()} without waiting. */
    CompletableFuture<Integer> acquiredPermitsAsync();

    /** How many permits there are, free or not. One round trip. */
    int getPermits();

    /** {@link #getPermits()} without waiting. */
    CompletableFuture<Integer> getPermitsAsync();

    /**
     * Adds permits for everybody, or takes some away for good; not below zero, nor above {@link Integer#MAX_VALUE}. What is
     * out stays out. A retry after a lost
     * answer counts once.
     *
     * @return how many there are then
     */
    int addPermits(int permits);

    /** {@link #addPermits(int)} without waiting. */
    CompletableFuture<Integer> addPermitsAsync(int permits);

    /** Who has permits, and who waits for some, in order. One round trip. */
    LockState inspect();

    /** {@link #inspect()} without waiting. */
    CompletableFuture<LockState> inspectAsync();
}
