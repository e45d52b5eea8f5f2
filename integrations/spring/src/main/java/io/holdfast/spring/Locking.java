package io.holdfast.spring;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.spi.Messages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes the locks of a call. */
final class Locking {

    private Locking() {}

    /**
     * Takes them, or returns {@code null} if they are busy for longer than the settings allow.
     *
     * @throws IllegalStateException if the call would wait for a lock that it is itself inside of
     * @throws io.holdfast.LeaseLostException if the thread is inside one of the locks and has lost it
     */
    static @Nullable Held acquire(List<LockTarget> targets, LockSettings settings) {
        boolean ownedByCall = settings.ownedByCall();
        checkScope(targets, ownedByCall);
        try {
            return targets.get(0).isSemaphore() || ownedByCall
                    ? ofCall(targets, lease(targets, settings), settings)
                    : byThread(targets, settings);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HoldfastException(
                    "the thread was interrupted while it waited for " + label(targets) + "; the body was not run",
                    true,
                    e);
        }
    }

    private static @Nullable Held ofCall(List<LockTarget> targets, @Nullable Lease lease, LockSettings settings) {
        return lease == null ? null : new Held(targets, lease, Held.Release.of(lease), settings, true);
    }

    private static @Nullable Held byThread(List<LockTarget> targets, LockSettings settings)
            throws InterruptedException {
        DistributedLock lock = LockTarget.lock(targets);
        Duration wait = settings.effectiveWait();
        Duration lease = settings.lease();
        if (wait == null) {
            if (lease == null) {
                lock.lockInterruptibly();
            } else {
                lock.lockInterruptibly(saturatedNanos(lease), TimeUnit.NANOSECONDS);
            }
        } else if (!(lease == null
                ? lock.tryLock(saturatedNanos(wait), TimeUnit.NANOSECONDS)
                : lock.tryLock(wait, lease))) {
            return null;
        }
        return new Held(targets, lock.lease(), new ThreadRelease(lock, Thread.currentThread()), settings, false);
    }

    private static @Nullable Lease lease(List<LockTarget> targets, LockSettings settings) throws InterruptedException {
        Duration wait = settings.effectiveWait();
        Duration lease = settings.lease();
        Optional<Lease> granted;
        if (targets.get(0).isSemaphore()) {
            DistributedSemaphore semaphore = targets.get(0).semaphore();
            int permits = targets.get(0).permits();
            if (wait == null) {
                return lease == null ? semaphore.acquireLease(permits) : semaphore.acquireLease(permits, lease);
            }
            granted = lease == null
                    ? semaphore.tryAcquireLease(permits, wait)
                    : semaphore.tryAcquireLease(permits, wait, lease);
        } else {
            DistributedLock lock = LockTarget.lock(targets);
            if (wait == null) {
                return lease == null ? lock.acquire() : lock.acquire(lease);
            }
            granted = lease == null ? lock.tryAcquire(wait) : lock.tryAcquire(wait, lease);
        }
        return granted.orElse(null);
    }

    /**
     * Takes them without waiting in this thread; the future is {@code null} if they are busy. Cancelling it cancels the
     * acquisition. The locks belong to the call.
     */
    static CompletableFuture<@Nullable Lease> acquireAsync(List<LockTarget> targets, LockSettings settings) {
        Duration wait = settings.effectiveWait();
        Duration lease = settings.lease();
        CompletableFuture<Optional<Lease>> optional;
        CompletableFuture<Lease> granted;
        if (targets.get(0).isSemaphore()) {
            DistributedSemaphore semaphore = targets.get(0).semaphore();
            int permits = targets.get(0).permits();
            if (wait == null) {
                granted = lease == null
                        ? semaphore.acquireLeaseAsync(permits)
                        : semaphore.acquireLeaseAsync(permits, lease);
                return cancellable(granted, granted.thenApply(found -> found));
            }
            optional = lease == null
                    ? semaphore.tryAcquireLeaseAsync(permits, wait)
                    : semaphore.tryAcquireLeaseAsync(permits, wait, lease);
        } else {
            DistributedLock lock = LockTarget.lock(targets);
            if (wait == null) {
                granted = lease == null ? lock.acquireAsync() : lock.acquireAsync(lease);
                return cancellable(granted, granted.thenApply(found -> found));
            }
            optional = lease == null ? lock.tryAcquireAsync(wait) : lock.tryAcquireAsync(wait, lease);
        }
        return cancellable(optional, optional.thenApply(found -> found.orElse(null)));
    }

    private static CompletableFuture<@Nullable Lease> cancellable(
            CompletableFuture<?> source, CompletableFuture<@Nullable Lease> dependent) {
        dependent.whenComplete((lease, failure) -> {
            if (dependent.isCancelled()) {
                source.cancel(false);
            }
        });
        return dependent;
    }

    /** Refuses what would wait for itself, and what would run inside a lock that is lost already. */
    static void checkScope(List<LockTarget> targets, boolean ownedByCall) {
        for (LockTarget target : targets) {
            Held outer = target.isSemaphore() ? null : LockScope.find(target);
            if (outer != null) {
                outer.verify();
                if (ownedByCall || outer.ownedByCall()) {
                    throw selfWait(target.name());
                }
            }
        }
    }

    static IllegalStateException selfWait(String name) {
        return new IllegalStateException("lock '" + Messages.line(name)
                + "' is held by the call that encloses this one, and would be waited for in vain: locks that a job with atLeast, a"
                + " CompletionStage or a reactive type holds belong to that one call and can't be entered again");
    }

    static LockBusyException busy(List<LockTarget> targets, LockSettings settings) {
        Duration wait = settings.effectiveWait();
        return new LockBusyException(label(targets) + " is held by another owner"
                + (wait == null || wait.isZero() ? "" : ", and was not free within " + wait.toMillis() + " ms"));
    }

    static String label(List<LockTarget> targets) {
        return (targets.get(0).isSemaphore() ? "semaphore " : "lock ")
                + targets.stream()
                        .map(target -> "'" + Messages.line(target.name()) + "'")
                        .collect(Collectors.joining(", "));
    }

    private static long saturatedNanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    /** One entry of a thread's, which may be given back in another one: a transaction may complete there. */
    private record ThreadRelease(DistributedLock lock, Thread owner) implements Held.Release {

        @Override
        public void now() {
            if (Thread.currentThread() == owner) {
                lock.unlock();
            } else {
                try {
                    async().join();
                } catch (java.util.concurrent.CompletionException e) {
                    throw e.getCause() instanceof RuntimeException cause ? cause : e;
                }
            }
        }

        // The id that DistributedLock knows a thread by.
        @SuppressWarnings("deprecation")
        @Override
        public CompletableFuture<Void> async() {
            return lock.unlockAsync(owner.getId());
        }
    }
}
