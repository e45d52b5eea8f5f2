package io.holdfast.internal;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockState;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The plain lock as callers see it: arguments are checked here, threads park here, and the engine does the rest. */
final class PlainLock implements DistributedLock {

    private final Engine engine;
    private final String name;
    private final Terms watchdog;

    PlainLock(Engine engine, String name, Terms watchdog) {
        this.engine = engine;
        this.name = name;
        this.watchdog = watchdog;
    }

    @Override
    public String getName() {
        return name;
    }

    // ---- held by a thread -------------------------------------------------------------------------------------

    @Override
    public void lock() {
        take(watchdog, Waiter.FOREVER);
    }

    @Override
    public void lock(long lease, TimeUnit unit) {
        take(terms(lease, unit), Waiter.FOREVER);
    }

    @Override
    public void lock(Duration lease) {
        take(terms(lease), Waiter.FOREVER);
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
        return take(watchdog, 0);
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

    private boolean take(Terms terms, long waitNanos) {
        if (reenter(terms)) {
            return true;
        }
        return Await.uninterruptibly(engine.ask(name, terms, LockOwner.ofCurrentThread(), waitNanos).result) != null;
    }

    private boolean takeInterruptibly(Terms terms, long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return reenter(terms) || wait(terms, LockOwner.ofCurrentThread(), waitNanos) != null;
    }

    private boolean reenter(Terms terms) {
        Hold hold = engine.holdOf(name, currentThreadId());
        return hold != null && hold.enter(terms);
    }

    private @Nullable Hold wait(Terms terms, LockOwner owner, long waitNanos) throws InterruptedException {
        Waiter waiter = engine.ask(name, terms, owner, waitNanos);
        try {
            return Await.interruptibly(waiter.result);
        } catch (InterruptedException e) {
            engine.withdraw(waiter);
            waiter.result.thenAccept(hold -> {
                if (hold != null) {
                    engine.undo(hold); // granted and interrupted at once
                }
            });
            throw e;
        }
    }

    @Override
    public void unlock() {
        CompletableFuture<Void> released = leave(currentThreadId());
        if (released != null) {
            Await.uninterruptibly(released);
        }
    }

    /** Leaves once; the answer is the release of the lock, or {@code null} if the owner is still inside. */
    private @Nullable CompletableFuture<Void> leave(long ownerId) {
        Hold hold = engine.holdOf(name, ownerId);
        if (hold != null && hold.isValid()) {
            int inside = hold.leave();
            if (inside > 0) {
                return null;
            }
            if (inside == 0) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                hold.remote.queue.release(hold, done);
                return done;
            }
        }
        Hold lost = hold != null && hold.count() > 0 ? hold : engine.lost().find(name, ownerId);
        if (lost != null && lost.count() > 0) {
            engine.lost().remember(lost);
            if (lost.leave() <= 0) {
                engine.lost().forget(lost);
            }
            throw lost.lossException();
        }
        throw new IllegalMonitorStateException("lock '" + name + "' is not held by thread " + ownerId + " ("
                + Thread.currentThread().getName() + ") of this client");
    }

    @Override
    public Lease lease() {
        long id = currentThreadId();
        Hold hold = engine.holdOf(name, id);
        if (hold != null) {
            return hold;
        }
        Hold lost = engine.lost().find(name, id);
        if (lost != null) {
            return lost;
        }
        throw new IllegalMonitorStateException("lock '" + name + "' is not held by this thread, so it has no lease");
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

    private @Nullable Hold acquire(Terms terms, long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return wait(terms, LockOwner.ofHandle(), waitNanos);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return async(watchdog, LockOwner.ofHandle(), Waiter.FOREVER, Objects::requireNonNull);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return async(watchdog, LockOwner.ofHandle(), waitNanos(wait), Optional::ofNullable);
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

    private CompletableFuture<Void> lockAsync(Terms terms, LockOwner owner) {
        return async(terms, owner, Waiter.FOREVER, hold -> null);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return tryLockAsync(watchdog, LockOwner.ofId(currentThreadId()), 0);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(long ownerId) {
        return tryLockAsync(watchdog, LockOwner.ofId(ownerId), 0);
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

    private CompletableFuture<Boolean> tryLockAsync(Terms terms, LockOwner owner, long waitNanos) {
        return async(terms, owner, waitNanos, hold -> hold != null);
    }

    /** Whoever completes the caller's future first, the engine or the caller, the other side follows. */
    private <T> CompletableFuture<T> async(
            Terms terms, LockOwner owner, long waitNanos, Function<@Nullable Hold, T> toResult) {
        Waiter waiter = engine.ask(name, terms, owner, waitNanos);
        CompletableFuture<T> user = new CompletableFuture<>();
        waiter.result.whenComplete((hold, failure) -> engine.execute(() -> {
            if (failure != null) {
                user.completeExceptionally(failure);
            } else if ((user.isDone() || !user.complete(toResult.apply(hold))) && hold != null) {
                engine.undo(hold);
            }
        }));
        user.whenComplete((value, failure) -> engine.withdraw(waiter));
        return user;
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
    public boolean isLocked() {
        return inspect().isLocked();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return isHeldByThread(currentThreadId());
    }

    @Override
    public boolean isHeldByThread(long ownerId) {
        Hold hold = engine.holdOf(name, ownerId);
        return hold != null && hold.count() > 0 && hold.isValid();
    }

    @Override
    public int getHoldCount() {
        Hold hold = engine.holdOf(name, currentThreadId());
        return hold != null && hold.isValid() ? hold.count() : 0;
    }

    @Override
    public long remainTimeToLive() {
        return inspect().holders().stream()
                .mapToLong(holder -> holder.timeLeft().toMillis())
                .findFirst()
                .orElse(-2);
    }

    @Override
    public boolean forceUnlock() {
        return engine.forceUnlock(name);
    }

    private LockState inspect() {
        return engine.inspect(name);
    }

    private static long currentThreadId() {
        return Threads.id(Thread.currentThread());
    }

    // ---- arguments --------------------------------------------------------------------------------------------

    private Terms terms(long lease, TimeUnit unit) {
        return lease == Limits.WATCHDOG ? watchdog : terms(Limits.duration(lease, unit));
    }

    private static Terms terms(Duration lease) {
        return Terms.leased(Limits.lease(lease));
    }

    private static long waitNanos(long wait, TimeUnit unit) {
        return waitNanos(Limits.duration(wait, unit));
    }

    private static long waitNanos(Duration wait) {
        return wait.isNegative() ? 0 : Limits.saturatedNanos(wait);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + "]";
    }
}
