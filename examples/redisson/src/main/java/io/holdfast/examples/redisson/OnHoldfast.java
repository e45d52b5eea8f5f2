package io.holdfast.examples.redisson;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The same program on Holdfast. The lines begin with Redisson's names, so that they can be compared. */
@SuppressWarnings("LockNotBeforeTry") // it calls one method after the other
final class OnHoldfast implements Program {

    private final Holdfast holdfast;

    OnHoldfast(String url) {
        holdfast = Holdfast.connect(url);
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void lock(Transcript said) throws Exception {
        DistributedLock lock = holdfast.lock("example:h:lock");
        long me = Thread.currentThread().getId();
        said.say("RLock.getName()", lock.getName().endsWith("lock"));
        said.say("RLock.isLocked()", lock.isLocked());
        said.say("RLock.remainTimeToLive()", lock.remainTimeToLive());
        said.does("RLock.lock()", lock::lock);
        said.say("RLock.tryLock()", lock.tryLock());
        said.say("RLock.getHoldCount()", lock.getHoldCount());
        said.say("RLock.isLocked()", lock.isLocked());
        said.say("RLock.isHeldByCurrentThread()", lock.isHeldByCurrentThread());
        said.say("RLock.isHeldByThread(me)", lock.isHeldByThread(me));
        said.say("RLock.isHeldByThread(another)", lock.isHeldByThread(me + 1_000));
        said.say("RLock.remainTimeToLive()", Transcript.about(lock.remainTimeToLive(), 30_000));
        said.does("RLock.unlock()", lock::unlock);
        said.does("RLock.unlock()", lock::unlock);
        said.fails("RLock.unlock() of what is free", lock::unlock);
        said.does("RLock.lock(10, SECONDS)", () -> lock.lock(10, TimeUnit.SECONDS));
        said.say("RLock.remainTimeToLive()", Transcript.about(lock.remainTimeToLive(), 10_000));
        said.does("RLock.unlock()", lock::unlock);
        said.does("RLock.lockInterruptibly()", lock::lockInterruptibly);
        said.does("RLock.unlock()", lock::unlock);
        said.does("RLock.lockInterruptibly(10, SECONDS)", () -> lock.lockInterruptibly(10, TimeUnit.SECONDS));
        said.does("RLock.unlock()", lock::unlock);
        said.say("RLock.tryLock(1, SECONDS)", lock.tryLock(1, TimeUnit.SECONDS));
        said.does("RLock.unlock()", lock::unlock);
        said.say("RLock.tryLock(1, 10, SECONDS)", lock.tryLock(1, 10, TimeUnit.SECONDS));
        said.say("RLock.forceUnlock()", lock.forceUnlock());
        said.say("RLock.forceUnlock()", lock.forceUnlock());
        said.fails("RLock.unlock() of what was forced", lock::unlock);
        said.fails("RLock.newCondition()", lock::newCondition);
    }

    @Override
    public void lockAsync(Transcript said) throws Exception {
        DistributedLock lock = holdfast.lock("example:h:async");
        long me = Thread.currentThread().getId();
        said.does("RLock.lockAsync()", () -> await(lock.lockAsync()));
        said.say("RLock.isLockedAsync()", await(lock.isLockedAsync()));
        said.say("RLock.isHeldByThreadAsync(me)", await(lock.isHeldByThreadAsync(me)));
        said.say("RLock.getHoldCountAsync()", await(lock.getHoldCountAsync()));
        said.say("RLock.remainTimeToLiveAsync()", Transcript.about(await(lock.remainTimeToLiveAsync()), 30_000));
        said.does("RLock.unlockAsync()", () -> await(lock.unlockAsync()));
        said.does("RLock.lockAsync(7)", () -> await(lock.lockAsync(7)));
        said.say("RLock.tryLockAsync()", await(lock.tryLockAsync()));
        said.does("RLock.unlockAsync(7)", () -> await(lock.unlockAsync(7)));
        said.does("RLock.lockAsync(10, SECONDS)", () -> await(lock.lockAsync(10, TimeUnit.SECONDS)));
        said.does("RLock.unlockAsync()", () -> await(lock.unlockAsync()));
        said.does("RLock.lockAsync(10, SECONDS, 7)", () -> await(lock.lockAsync(10, TimeUnit.SECONDS, 7)));
        said.does("RLock.unlockAsync(7)", () -> await(lock.unlockAsync(7)));
        said.say("RLock.tryLockAsync(7)", await(lock.tryLockAsync(7)));
        said.does("RLock.unlockAsync(7)", () -> await(lock.unlockAsync(7)));
        said.say("RLock.tryLockAsync(1, SECONDS)", await(lock.tryLockAsync(1, TimeUnit.SECONDS)));
        said.does("RLock.unlockAsync()", () -> await(lock.unlockAsync()));
        said.say("RLock.tryLockAsync(1, 10, SECONDS)", await(lock.tryLockAsync(1, 10, TimeUnit.SECONDS)));
        said.does("RLock.unlockAsync()", () -> await(lock.unlockAsync()));
        said.say("RLock.tryLockAsync(1, 10, SECONDS, 7)", await(lock.tryLockAsync(1, 10, TimeUnit.SECONDS, 7)));
        said.say("RLock.forceUnlockAsync()", await(lock.forceUnlockAsync()));
        said.say("RLock.isLockedAsync()", await(lock.isLockedAsync()));
    }

    @Override
    public void fairLock(Transcript said) throws Exception {
        DistributedLock lock = holdfast.fairLock("example:h:fair");
        said.does("getFairLock().lock()", lock::lock);
        said.say("getFairLock().tryLock()", lock.tryLock());
        said.say("getFairLock().getHoldCount()", lock.getHoldCount());
        said.does("getFairLock().unlock()", lock::unlock);
        said.does("getFairLock().unlock()", lock::unlock);
        said.say("getFairLock().isLocked()", lock.isLocked());
    }

    @Override
    public void readWriteLock(Transcript said) throws Exception {
        DistributedReadWriteLock both = holdfast.readWriteLock("example:h:rw");
        DistributedLock read = both.readLock();
        DistributedLock write = both.writeLock();
        said.does("RReadWriteLock.readLock().lock()", read::lock);
        said.say("RReadWriteLock.readLock().isLocked()", read.isLocked());
        said.say("RReadWriteLock.writeLock().isLocked()", write.isLocked());
        said.say("RReadWriteLock.writeLock().tryLock() of a reader", write.tryLock());
        said.does("RReadWriteLock.readLock().unlock()", read::unlock);
        said.does("RReadWriteLock.writeLock().lock()", write::lock);
        said.say("RReadWriteLock.readLock().tryLock() of the writer", read.tryLock());
        said.does("RReadWriteLock.writeLock().unlock()", write::unlock);
        said.say("RReadWriteLock.readLock().isHeldByCurrentThread()", read.isHeldByCurrentThread());
        said.say("RReadWriteLock.readLock().forceUnlock()", read.forceUnlock());
        said.say("RReadWriteLock.readLock().isLocked()", read.isLocked());
    }

    @Override
    public void multiLock(Transcript said) throws Exception {
        DistributedLock a = holdfast.lock("example:h:a");
        DistributedLock b = holdfast.lock("example:h:b");
        DistributedLock both = Holdfast.multiLock(a, b);
        said.does("RMultiLock.lock()", both::lock);
        said.say("both are locked", a.isLocked() && b.isLocked());
        said.does("RMultiLock.unlock()", both::unlock);
        said.does("RMultiLock.lock(10, SECONDS)", () -> both.lock(10, TimeUnit.SECONDS));
        said.does("RMultiLock.unlock()", both::unlock);
        said.does("RMultiLock.lockInterruptibly()", both::lockInterruptibly);
        said.does("RMultiLock.unlock()", both::unlock);
        said.say("RMultiLock.tryLock()", both.tryLock());
        said.does("RMultiLock.unlock()", both::unlock);
        said.say("RMultiLock.tryLock(1, SECONDS)", both.tryLock(1, TimeUnit.SECONDS));
        said.does("RMultiLock.unlock()", both::unlock);
        said.say("RMultiLock.tryLock(1, 10, SECONDS)", both.tryLock(1, 10, TimeUnit.SECONDS));
        said.does("RMultiLock.unlock()", both::unlock);
        said.does("RMultiLock.lockAsync()", () -> await(both.lockAsync()));
        said.does("RMultiLock.unlockAsync()", () -> await(both.unlockAsync()));
        said.say("both are free", !a.isLocked() && !b.isLocked());
    }

    @Override
    public void semaphore(Transcript said) throws Exception {
        DistributedSemaphore semaphore = holdfast.semaphore("example:h:semaphore", 5);
        said.does("RSemaphore.acquire()", semaphore::acquire);
        said.does("RSemaphore.acquire(2)", () -> semaphore.acquire(2));
        said.say("RSemaphore.availablePermits()", semaphore.availablePermits());
        said.say("RSemaphore.tryAcquire(2)", semaphore.tryAcquire(2));
        said.say("RSemaphore.tryAcquire()", semaphore.tryAcquire());
        said.say("RSemaphore.tryAcquire(10 ms)", semaphore.tryAcquire(Duration.ofMillis(10)));
        said.say("RSemaphore.tryAcquire(10, MILLISECONDS)", semaphore.tryAcquire(10, TimeUnit.MILLISECONDS));
        said.say("RSemaphore.tryAcquire(2, 10, MILLISECONDS)", semaphore.tryAcquire(2, 10, TimeUnit.MILLISECONDS));
        said.does("RSemaphore.release()", semaphore::release);
        said.does("RSemaphore.release(3)", () -> semaphore.release(3));
        said.does("RSemaphore.addPermits(2)", () -> semaphore.addPermits(2));
        said.say("RSemaphore.drainPermits()", semaphore.drainPermits());
        said.does("RSemaphore.releaseAsync(6)", () -> await(semaphore.releaseAsync(6)));
        said.does("RSemaphore.acquireAsync(2)", () -> await(semaphore.acquireAsync(2)));
        said.say("RSemaphore.tryAcquireAsync(1)", await(semaphore.tryAcquireAsync(1)));
        said.say("RSemaphore.tryAcquireAsync(1, 1 s)", await(semaphore.tryAcquireAsync(1, Duration.ofSeconds(1))));
        said.say("RSemaphore.availablePermitsAsync()", await(semaphore.availablePermitsAsync()));
        said.does("RSemaphore.addPermitsAsync(1)", () -> await(semaphore.addPermitsAsync(1)));
        said.does("RSemaphore.releaseAsync(4)", () -> await(semaphore.releaseAsync(4)));
        said.say("RSemaphore.availablePermits()", semaphore.availablePermits());
        semaphore.addPermits(5 - semaphore.getPermits()); // a semaphore is forgotten a day after it was last used
    }

    @Override
    public void permitExpirableSemaphore(Transcript said) throws Exception {
        DistributedSemaphore semaphore = holdfast.semaphore("example:h:permits", 5);
        Lease kept = semaphore.acquireLease(1);
        Lease leased = semaphore.acquireLease(1, Duration.ofSeconds(10));
        Lease two = semaphore.acquireLease(2);
        said.say("RPermitExpirableSemaphore.availablePermits()", semaphore.availablePermits());
        said.say("RPermitExpirableSemaphore.acquiredPermits()", semaphore.acquiredPermits());
        said.say("RPermitExpirableSemaphore.getPermits()", semaphore.getPermits());
        said.say(
                "RPermitExpirableSemaphore.tryAcquire(2)",
                semaphore.tryAcquireLease(2, Duration.ZERO).isPresent());
        said.say(
                "RPermitExpirableSemaphore.getLeaseTime(id)",
                Transcript.about(leased.remaining().toMillis(), 10_000));
        said.does(
                "RPermitExpirableSemaphore.updateLeaseTime(id, 20, SECONDS)",
                () -> leased.extend(Duration.ofSeconds(20)));
        said.say(
                "RPermitExpirableSemaphore.getLeaseTime(id)",
                Transcript.about(leased.remaining().toMillis(), 20_000));
        // The token is the id of the grant, which another process may give back.
        said.say("RPermitExpirableSemaphore.tryRelease(id)", semaphore.tryRelease(leased.token()));
        said.say("RPermitExpirableSemaphore.tryRelease(id) again", semaphore.tryRelease(leased.token()));
        said.does("RPermitExpirableSemaphore.release(ids)", two::close);
        said.does("RPermitExpirableSemaphore.release(id)", kept::close);
        Optional<Lease> brief = semaphore.tryAcquireLease(1, Duration.ofSeconds(1), Duration.ofSeconds(10));
        said.say("RPermitExpirableSemaphore.tryAcquire(1, 10, SECONDS)", brief.isPresent());
        said.say(
                "RPermitExpirableSemaphore.tryReleaseAsync(id)",
                await(semaphore.tryReleaseAsync(brief.orElseThrow().token())));
        said.does("RPermitExpirableSemaphore.addPermits(1)", () -> semaphore.addPermits(1));
        said.say("RPermitExpirableSemaphore.availablePermits()", semaphore.availablePermits());
        semaphore.addPermits(5 - semaphore.getPermits());
    }

    @Override
    public void countDownLatch(Transcript said) throws Exception {
        DistributedLatch latch = holdfast.latch("example:h:latch");
        said.say("RCountDownLatch.trySetCount(3)", latch.trySetCount(3));
        said.say("RCountDownLatch.trySetCount(4)", latch.trySetCount(4));
        said.say("RCountDownLatch.trySetCountAsync(4)", await(latch.trySetCountAsync(4)));
        said.say("RCountDownLatch.getCount()", latch.getCount());
        said.does("RCountDownLatch.countDown()", latch::countDown);
        said.does("RCountDownLatch.countDownAsync()", () -> await(latch.countDownAsync()));
        said.say("RCountDownLatch.getCountAsync()", await(latch.getCountAsync()));
        said.say("RCountDownLatch.await(10, MILLISECONDS)", latch.await(10, TimeUnit.MILLISECONDS));
        CompletableFuture<Void> open = latch.awaitAsync();
        CompletableFuture<Boolean> inTime = latch.awaitAsync(Duration.ofSeconds(10));
        said.does("RCountDownLatch.countDown()", latch::countDown);
        said.does("RCountDownLatch.await()", latch::await);
        said.does("RCountDownLatch.awaitAsync()", () -> await(open));
        said.say("RCountDownLatch.awaitAsync(10, SECONDS)", await(inTime));
        said.say("RCountDownLatch.getCount()", latch.getCount());
        latch.delete();
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
