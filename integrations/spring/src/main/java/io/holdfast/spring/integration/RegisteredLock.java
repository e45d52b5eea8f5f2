package io.holdfast.spring.integration;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.spi.Messages;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.CannotAcquireLockException;

/**
 * A lock as Spring Integration's users know it. What each thread holds is noted here too, since a thread that has lost a lock must not
 * get it anew as if it had entered again: its one {@code unlock} would then give away a lock that it believes in.
 *
 * <p>A loss is told by {@code false} from {@code tryLock}, or by an exception from {@code lock}; then the thread may take the lock anew. It is
 * told by each {@code unlock} of the lost hold, and one more of them is let pass: {@code LockRegistryLeaderInitiator} unlocks again in
 * {@code finally} when {@code unlock} has failed, and announces the end of its leadership after that.
 */
final class RegisteredLock implements Lock {

    private static final Logger log = LoggerFactory.getLogger(RegisteredLock.class);

    /** The usual lease, where a renewal does not say how long. */
    private static final Duration USUAL = Duration.ofSeconds(30);

    private final String key;
    private final DistributedLock lock;
    private final Set<Lock> held;
    private final Map<Thread, Hold> holds = new ConcurrentHashMap<>();

    /** What {@link HoldfastLockRegistry#obtain} gives; it lives as long as a thread holds it. */
    private Lock face = this;

    /** What one thread has; only that thread changes it. */
    private static final class Hold {

        final Lease lease;
        int count = 1;
        volatile boolean told;

        Hold(Lease lease) {
            this.lease = lease;
        }
    }

    private interface Waiting {
        boolean take() throws InterruptedException;
    }

    RegisteredLock(String key, DistributedLock lock, Set<Lock> held) {
        this.key = key;
        this.lock = lock;
        this.held = held;
    }

    /** Notes what stands for this lock outside. */
    Lock as(Lock outside) {
        face = outside;
        return outside;
    }

    // ---- taking -----------------------------------------------------------------------------------------------

    @Override
    public void lock() {
        takeOrThrow(() -> {
            lock.lock();
            return true;
        });
    }

    void lock(Duration ttl) {
        takeOrThrow(() -> {
            lock.lock(ttl);
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (tellLoss()
                || !takeInterruptibly(() -> {
                    lock.lockInterruptibly();
                    return true;
                })) {
            throw lost();
        }
    }

    @Override
    public boolean tryLock() {
        return !tellLoss() && take(lock::tryLock);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return !tellLoss() && takeInterruptibly(() -> lock.tryLock(time, unit));
    }

    boolean tryLock(Duration wait, Duration ttl) throws InterruptedException {
        return !tellLoss() && takeInterruptibly(() -> lock.tryLock(wait, ttl));
    }

    private void takeOrThrow(Waiting waiting) {
        if (tellLoss() || !take(waiting)) {
            throw lost();
        }
    }

    private boolean take(Waiting waiting) {
        try {
            return takeInterruptibly(waiting);
        } catch (InterruptedException e) {
            throw new AssertionError(e); // these can't be interrupted
        }
    }

    /** False if it was not to be had, or if a hold of the thread ended in this very moment. */
    private boolean takeInterruptibly(Waiting waiting) throws InterruptedException {
        try {
            if (!waiting.take()) {
                return false;
            }
        } catch (HoldfastException e) {
            throw new CannotAcquireLockException("Failed to lock '" + Messages.line(key) + "': " + e.getMessage(), e);
        }
        Lease lease = lock.lease();
        Hold hold = holds.get(Thread.currentThread());
        if (hold == null || hold.told) {
            hold(new Hold(lease));
        } else if (hold.lease.token() == lease.token()) {
            hold.count++;
        } else { // not entered again but granted anew
            giveBack();
            tell(hold);
            return false;
        }
        return true;
    }

    /** True if the thread has lost the lock and learns of it now. */
    private boolean tellLoss() {
        Hold hold = holds.get(Thread.currentThread());
        if (hold == null || hold.told || hold.lease.isValid()) {
            return false;
        }
        tell(hold);
        return true;
    }

    private void tell(Hold hold) {
        hold.told = true;
        pin();
        try {
            hold.lease.close(); // whatever the client still notes of it
        } catch (HoldfastException e) {
            log.debug("{}", e.getMessage());
        }
    }

    private ConcurrentModificationException lost() {
        return new ConcurrentModificationException(
                "Lock '" + Messages.line(key)
                        + "' was lost before it was released; another owner may have held it since, and changed what it protects");
    }

    // ---- giving back ------------------------------------------------------------------------------------------

    @Override
    public void unlock() {
        Hold hold = holds.get(Thread.currentThread());
        if (hold == null) {
            throw stranger();
        }
        if (!hold.told && !hold.lease.isValid()) {
            tell(hold);
        }
        if (!hold.told) {
            if (--hold.count > 0) {
                giveBack();
            } else {
                hold(null);
                try {
                    giveBack();
                } catch (ConcurrentModificationException lost) {
                    hold.told = true;
                    hold(hold);
                    throw lost;
                }
            }
        } else if (hold.count-- > 0) {
            throw lost();
        } else {
            hold(null);
        }
    }

    private void giveBack() {
        try {
            lock.unlock();
        } catch (LeaseLostException e) {
            ConcurrentModificationException lost = lost();
            lost.initCause(e);
            throw lost;
        } catch (HoldfastException e) {
            // The thread does not hold it any more; the client goes on trying, and the lease ends.
            log.warn("The release of lock '{}' is not confirmed: {}", Messages.line(key), e.getMessage());
        }
    }

    private void hold(@Nullable Hold hold) {
        if (hold == null) {
            holds.remove(Thread.currentThread());
        } else {
            holds.put(Thread.currentThread(), hold);
        }
        pin();
    }

    /** Has the registry keep this object while a thread holds it. */
    private void pin() {
        synchronized (holds) {
            if (holds.values().stream().anyMatch(hold -> !hold.told)) {
                held.add(face);
            } else {
                held.remove(face);
            }
        }
    }

    private IllegalStateException stranger() {
        return new IllegalStateException("Lock '" + Messages.line(key) + "' is not held by thread "
                + Thread.currentThread().getName());
    }

    /** @param ttl {@code null} for the usual lease */
    void renew(@Nullable Duration ttl) {
        Hold hold = holds.get(Thread.currentThread());
        if (hold == null || hold.told) {
            throw stranger();
        }
        try {
            hold.lease.extend(ttl == null ? USUAL : ttl);
        } catch (LeaseLostException e) {
            tell(hold);
            ConcurrentModificationException lost = lost();
            lost.initCause(e);
            throw lost;
        } catch (HoldfastException e) {
            throw new CannotAcquireLockException(
                    "Failed to renew lock '" + Messages.line(key) + "': " + e.getMessage(), e);
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "HoldfastLock[" + Messages.line(key) + "]";
    }
}
