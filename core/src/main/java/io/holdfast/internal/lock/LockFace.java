package io.holdfast.internal.lock;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.internal.Limits;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock as callers see it: arguments are checked here, threads park here, and the engine does the rest. What is taken,
 * one lock or several, is up to the subclass.
 */
abstract class LockFace implements DistributedLock {

    private final Engine engine;
    private final String name;
    private final LeaseTerms watchdog;

    /** @param watchdog how it is taken without a lease time */
    LockFace(Engine engine, String name, LeaseTerms watchdog) {
        this.engine = engine;
        this.name = name;
        this.watchdog = watchdog;
    }

    /**
     * Asks for the lock.
     *
     * @param barging whether it may pass queued claims, as by {@link #tryLock()}
     */
    abstract PendingRequest ask(LeaseTerms terms, LockOwner owner, long waitNanos, boolean barging);

    /** Takes it for the current thread if this client has kept it since it was last needed. */
    boolean tryTakeUp(LeaseTerms terms) {
        return false;
    }

    /** What the owner holds. */
    abstract @Nullable HeldLease heldBy(long ownerId);

    /** What the owner lost last and has not unlocked. */
    abstract @Nullable HeldLease lostBy(long ownerId);

    /**
     * Leaves once; the answer is the release of the lock, or {@code null} if there is nothing to wait for.
     *
     * @throws IllegalMonitorStateException if the owner does not hold it, or has lost it
     */
    abstract @Nullable CompletableFuture<Void> leave(long ownerId);

    /** Whether an owner that holds it may take it again. */
    abstract boolean isReentrant();

    abstract CompletableFuture<Boolean> locked();

    /** Milliseconds, or {@code -2}. */
    abstract CompletableFuture<Long> timeToLive();

    abstract CompletableFuture<Boolean> force();

    final Engine engine() {
        return engine;
    }

    final LeaseTerms watchdog() {
        return watchdog;
    }

    @Override
    public final String getName() {
        return name;
    }

    // ---- held by a thread -------------------------------------------------------------------------------------

    @Override
    public void lock() {
        take(watchdog, Waiter.FOREVER, false);
    }

    @Override
    public void lock(long lease, TimeUnit unit) {
        take(terms(lease, unit), Waiter.FOREVER, false);
    }

    @Override
    public void lock(Duration lease) {
        take(terms(lease), Waiter.FOREVER, false);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        takeInterruptibly(watchdog, Waiter.FOREVER);
    }

    @Override
    public void lockInterruptibly(long lease, TimeUnit unit) throws InterruptedException {
        takeInterruptibly(terms(lease, unit), Waiter.FOREVER);
    }

    @Override
    public boolean tryLock() {
        return take(watchdog, 0, true);
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return takeInterruptibly(watchdog, waitNanos(wait, unit));
    }

    @Override
    public boolean tryLock(long wait, long lease, TimeUnit unit) throws InterruptedException {
        return takeInterruptibly(terms(lease, unit), waitNanos(wait, unit));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return takeInterruptibly(terms(lease), waitNanos(wait));
    }

    private boolean take(LeaseTerms terms, long waitNanos, boolean barging) {
        return tryTakeHere(terms)
                || ask(terms, LockOwner.ofCurrentThread(), waitNanos, barging).await() != null;
    }

    private boolean takeInterruptibly(LeaseTerms terms, long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return tryTakeHere(terms)
                || ask(terms, LockOwner.ofCurrentThread(), waitNanos, false).awaitInterruptibly() != null;
    }

    /** Takes what this client has: enters again, or takes up what lingers. */
    private boolean tryTakeHere(LeaseTerms terms) {
        HeldLease held = heldBy(currentThreadId());
        if (held == null) {
            return tryTakeUp(terms);
        }
        return isReentrant() && held.tryEnter(terms);
    }

    @Override
    public void unlock() {
        CompletableFuture<Void> released = leave(currentThreadId());
        if (released != null) {
            Await.uninterruptibly(released);
        }
    }

    @Override
    public Lease lease() {
        long id = currentThreadId();
        HeldLease held = heldBy(id);
        HeldLease found = held != null && held.count() > 0 ? held : lostBy(id);
        if (found == null) {
            throw new IllegalMonitorStateException(
                    Messages.label(ResourceType.LOCK, name) + " is not held by this thread, so it has no lease");
        }
        return found;
    }

    // ---- held by a handle -------------------------------------------------------------------------------------

    @Override
    public Lease acquire() throws InterruptedException {
        return Objects.requireNonNull(acquire(watchdog, Waiter.FOREVER));
    }

    @Override
    public Lease acquire(Duration lease) throws InterruptedException {
        return Objects.requireNonNull(acquire(terms(lease), Waiter.FOREVER));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return Optional.ofNullable(acquire(watchdog, waitNanos(wait)));
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return Optional.ofNullable(acquire(terms(lease), waitNanos(wait)));
    }

    private @Nullable HeldLease acquire(LeaseTerms terms, long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return ask(terms, LockOwner.ofHandle(), waitNanos, false).awaitInterruptibly();
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(watchdog);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(Duration lease) {
        return acquireAsync(terms(lease));
    }

    private CompletableFuture<Lease> acquireAsync(LeaseTerms terms) {
        return ask(terms, LockOwner.ofHandle(), Waiter.FOREVER, false).future(engine, Objects::requireNonNull);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync(watchdog, wait);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, Duration lease) {
        return tryAcquireAsync(terms(lease), wait);
    }

    private CompletableFuture<Optional<Lease>> tryAcquireAsync(LeaseTerms terms, Duration wait) {
        return ask(terms, LockOwner.ofHandle(), waitNanos(wait), false).future(engine, Optional::ofNullable);
    }

    // ---- asynchronous -----------------------------------------------------------------------------------------

    @Override
    public CompletableFuture<Void> lockAsync() {
        return lockAsync(watchdog, LockOwner.ofId(currentThreadId()));
    }

    @Override
    public CompletableFuture<Void> lockAsync(long ownerId) {
        return lockAsync(watchdog, LockOwner.ofId(ownerId));
    }

    @Override
    public CompletableFuture<Void> lockAsync(long lease, TimeUnit unit) {
        return lockAsync(terms(lease, unit), LockOwner.ofId(currentThreadId()));
    }

    @Override
    public CompletableFuture<Void> lockAsync(long lease, TimeUnit unit, long ownerId) {
        return lockAsync(terms(lease, unit), LockOwner.ofId(ownerId));
    }

    private CompletableFuture<Void> lockAsync(LeaseTerms terms, LockOwner owner) {
        return ask(terms, owner, Waiter.FOREVER, false).future(engine, held -> null);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return tryLockAsync(currentThreadId());
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(long ownerId) {
        return ask(watchdog, LockOwner.ofId(ownerId), 0, true).future(engine, held -> held != null);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(long wait, TimeUnit unit) {
        return tryLockAsync(watchdog, LockOwner.ofId(currentThreadId()), waitNanos(wait, unit));
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(long wait, long lease, TimeUnit unit) {
        return tryLockAsync(terms(lease, unit), LockOwner.ofId(currentThreadId()), waitNanos(wait, unit));
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(long wait, long lease, TimeUnit unit, long ownerId) {
        return tryLockAsync(terms(lease, unit), LockOwner.ofId(ownerId), waitNanos(wait, unit));
    }

    private CompletableFuture<Boolean> tryLockAsync(LeaseTerms terms, LockOwner owner, long waitNanos) {
        return ask(terms, owner, waitNanos, false).future(engine, held -> held != null);
    }

    @Override
    public CompletableFuture<Void> unlockAsync() {
        return unlockAsync(currentThreadId());
    }

    @Override
    public CompletableFuture<Void> unlockAsync(long ownerId) {
        try {
            CompletableFuture<Void> released = leave(ownerId);
            return released == null ? CompletableFuture.completedFuture(null) : engine.onCallbackExecutor(released);
        } catch (IllegalMonitorStateException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    @Override
    public boolean isHeldByCurrentThread() {
        return isHeldByThread(currentThreadId());
    }

    @Override
    public boolean isHeldByThread(long ownerId) {
        HeldLease held = heldBy(ownerId);
        return held != null && held.count() > 0 && held.isValid();
    }

    @Override
    public CompletableFuture<Boolean> isHeldByThreadAsync(long ownerId) {
        return CompletableFuture.completedFuture(isHeldByThread(ownerId));
    }

    @Override
    public int getHoldCount() {
        return holdCount(currentThreadId());
    }

    @Override
    public CompletableFuture<Integer> getHoldCountAsync() {
        return getHoldCountAsync(currentThreadId());
    }

    @Override
    public CompletableFuture<Integer> getHoldCountAsync(long ownerId) {
        return CompletableFuture.completedFuture(holdCount(ownerId));
    }

    private int holdCount(long ownerId) {
        HeldLease held = heldBy(ownerId);
        return held != null && held.isValid() ? held.count() : 0;
    }

    @Override
    public boolean isLocked() {
        return Await.uninterruptibly(locked());
    }

    @Override
    public CompletableFuture<Boolean> isLockedAsync() {
        return engine.onCallbackExecutor(locked());
    }

    @Override
    public long remainTimeToLive() {
        return Await.uninterruptibly(timeToLive());
    }

    @Override
    public CompletableFuture<Long> remainTimeToLiveAsync() {
        return engine.onCallbackExecutor(timeToLive());
    }

    @Override
    public boolean forceUnlock() {
        return Await.uninterruptibly(force());
    }

    @Override
    public CompletableFuture<Boolean> forceUnlockAsync() {
        return engine.onCallbackExecutor(force());
    }

    private static long currentThreadId() {
        return LockOwner.threadId(Thread.currentThread());
    }

    // ---- arguments --------------------------------------------------------------------------------------------

    private LeaseTerms terms(long lease, TimeUnit unit) {
        return lease == Limits.WATCHDOG ? watchdog : terms(Limits.duration(lease, unit));
    }

    static LeaseTerms terms(Duration lease) {
        return LeaseTerms.leased(Limits.lease(lease));
    }

    static long waitNanos(long wait, TimeUnit unit) {
        return waitNanos(Limits.duration(wait, unit));
    }

    static long waitNanos(Duration wait) {
        return Limits.waitNanos(wait);
    }
}
