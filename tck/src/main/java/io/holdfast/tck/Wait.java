package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Every way to wait for a lock. */
enum Wait {
    LOCK {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) {
            lock.lock();
            return lock::unlock;
        }
    },
    LOCK_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) {
            lock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
            return lock::unlock;
        }
    },
    LOCK_DURATION {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) {
            lock.lock(lease);
            return lock::unlock;
        }
    },
    LOCK_INTERRUPTIBLY {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws InterruptedException {
            lock.lockInterruptibly();
            return lock::unlock;
        }
    },
    LOCK_INTERRUPTIBLY_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws InterruptedException {
            lock.lockInterruptibly(lease.toMillis(), TimeUnit.MILLISECONDS);
            return lock::unlock;
        }
    },
    TRY_LOCK {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return unlockIf(lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS), lock);
        }
    },
    TRY_LOCK_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return unlockIf(lock.tryLock(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS), lock);
        }
    },
    TRY_LOCK_DURATION {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return unlockIf(lock.tryLock(wait, lease), lock);
        }
    },
    ACQUIRE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws InterruptedException {
            return lock.acquire();
        }
    },
    ACQUIRE_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws InterruptedException {
            return lock.acquire(lease);
        }
    },
    TRY_ACQUIRE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return held(lock.tryAcquire(wait));
        }
    },
    TRY_ACQUIRE_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return held(lock.tryAcquire(wait, lease));
        }
    },
    LOCK_ASYNC {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            Contract.await(lock.lockAsync());
            return lock::unlock;
        }
    },
    LOCK_ASYNC_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            Contract.await(lock.lockAsync(lease.toMillis(), TimeUnit.MILLISECONDS, OWNER));
            return () -> Contract.await(lock.unlockAsync(OWNER));
        }
    },
    TRY_LOCK_ASYNC {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return unlockIf(Contract.await(lock.tryLockAsync(wait.toMillis(), TimeUnit.MILLISECONDS)), lock);
        }
    },
    TRY_LOCK_ASYNC_LEASE {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return unlockIf(
                    Contract.await(lock.tryLockAsync(wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS)), lock);
        }
    },
    ACQUIRE_ASYNC {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return Contract.await(lock.acquireAsync());
        }
    },
    TRY_ACQUIRE_ASYNC {
        @Override
        AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception {
            return held(Contract.await(lock.tryAcquireAsync(wait)));
        }
    };

    private static final long OWNER = 4711;

    /**
     * Takes the lock; what it gives back unlocks.
     *
     * @throws TimeoutException if it was not got in the time given
     */
    abstract AutoCloseable take(DistributedLock lock, Duration wait, Duration lease) throws Exception;

    /** Whether the current thread blocks in a way that an interrupt ends. */
    boolean isInterruptible() {
        return !isAsync() && (!name().startsWith("LOCK") || name().startsWith("LOCK_INTERRUPTIBLY"));
    }

    /** Whether what waits is a future. */
    boolean isAsync() {
        return name().contains("ASYNC");
    }

    /** Whether the lease is the one that was asked for; else the watchdog keeps it. */
    boolean hasLease() {
        return name().endsWith("_LEASE") || name().endsWith("_DURATION");
    }

    void untilHeld(DistributedLock lock, Duration wait, Duration lease, Actor.Step body) throws Exception {
        try (AutoCloseable held = take(lock, wait, lease)) {
            body.run();
        }
    }

    private static AutoCloseable unlockIf(boolean got, DistributedLock lock) throws TimeoutException {
        if (!got) {
            throw new TimeoutException("not got in the time given");
        }
        return lock::unlock;
    }

    private static Lease held(Optional<Lease> lease) throws TimeoutException {
        return lease.orElseThrow(() -> new TimeoutException("not got in the time given"));
    }
}
