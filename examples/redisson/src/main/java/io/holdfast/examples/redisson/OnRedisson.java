package io.holdfast.examples.redisson;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The program as a Redisson user writes it. */
@SuppressWarnings({"LockNotBeforeTry", "deprecation"}) // it calls one method after the other, old ones too
final class OnRedisson implements Program {

    private final RedissonClient redisson;

    OnRedisson(String url) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(url)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        redisson = Redisson.create(config);
    }

    private static <T> T await(RFuture<T> future) throws Exception {
        return future.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Override
    public void lock(Transcript said) throws Exception {
        RLock lock = redisson.getLock("example:r:lock");
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
        RLock lock = redisson.getLock("example:r:async");
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
        RLock lock = redisson.getFairLock("example:r:fair");
        said.does("getFairLock().lock()", lock::lock);
        said.say("getFairLock().tryLock()", lock.tryLock());
        said.say("getFairLock().getHoldCount()", lock.getHoldCount());
        said.does("getFairLock().unlock()", lock::unlock);
        said.does("getFairLock().unlock()", lock::unlock);
        said.say("getFairLock().isLocked()", lock.isLocked());
    }

    @Override
    public void readWriteLock(Transcript said) throws Exception {
        RReadWriteLock both = redisson.getReadWriteLock("example:r:rw");
        RLock read = both.readLock();
        RLock write = both.writeLock();
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
        RLock a = redisson.getLock("example:r:a");
        RLock b = redisson.getLock("example:r:b");
        RLock both = redisson.getMultiLock(a, b);
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
        RSemaphore semaphore = redisson.getSemaphore("example:r:semaphore");
        semaphore.trySetPermits(5);
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
        semaphore.delete();
    }

    @Override
    public void permitExpirableSemaphore(Transcript said) throws Exception {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore("example:r:permits");
        semaphore.trySetPermits(5);
        String kept = semaphore.acquire();
        String leased = semaphore.acquire(10, TimeUnit.SECONDS);
        List<String> two = semaphore.acquire(2);
        said.say("RPermitExpirableSemaphore.availablePermits()", semaphore.availablePermits());
        said.say("RPermitExpirableSemaphore.acquiredPermits()", semaphore.acquiredPermits());
        said.say("RPermitExpirableSemaphore.getPermits()", semaphore.getPermits());
        said.say(
                "RPermitExpirableSemaphore.tryAcquire(2)",
                !semaphore.tryAcquire(2).isEmpty());
        said.say(
                "RPermitExpirableSemaphore.getLeaseTime(id)", Transcript.about(semaphore.getLeaseTime(leased), 10_000));
        said.does(
                "RPermitExpirableSemaphore.updateLeaseTime(id, 20, SECONDS)",
                () -> semaphore.updateLeaseTime(leased, 20, TimeUnit.SECONDS));
        said.say(
                "RPermitExpirableSemaphore.getLeaseTime(id)", Transcript.about(semaphore.getLeaseTime(leased), 20_000));
        said.say("RPermitExpirableSemaphore.tryRelease(id)", semaphore.tryRelease(leased));
        said.say("RPermitExpirableSemaphore.tryRelease(id) again", semaphore.tryRelease(leased));
        said.does("RPermitExpirableSemaphore.release(ids)", () -> semaphore.release(two));
        said.does("RPermitExpirableSemaphore.release(id)", () -> semaphore.release(kept));
        String brief = semaphore.tryAcquire(1, 10, TimeUnit.SECONDS);
        said.say("RPermitExpirableSemaphore.tryAcquire(1, 10, SECONDS)", brief != null);
        said.say("RPermitExpirableSemaphore.tryReleaseAsync(id)", await(semaphore.tryReleaseAsync(brief)));
        said.does("RPermitExpirableSemaphore.addPermits(1)", () -> semaphore.addPermits(1));
        said.say("RPermitExpirableSemaphore.availablePermits()", semaphore.availablePermits());
        semaphore.delete();
    }

    @Override
    public void countDownLatch(Transcript said) throws Exception {
        RCountDownLatch latch = redisson.getCountDownLatch("example:r:latch");
        said.say("RCountDownLatch.trySetCount(3)", latch.trySetCount(3));
        said.say("RCountDownLatch.trySetCount(4)", latch.trySetCount(4));
        said.say("RCountDownLatch.trySetCountAsync(4)", await(latch.trySetCountAsync(4)));
        said.say("RCountDownLatch.getCount()", latch.getCount());
        said.does("RCountDownLatch.countDown()", latch::countDown);
        said.does("RCountDownLatch.countDownAsync()", () -> await(latch.countDownAsync()));
        said.say("RCountDownLatch.getCountAsync()", await(latch.getCountAsync()));
        said.say("RCountDownLatch.await(10, MILLISECONDS)", latch.await(10, TimeUnit.MILLISECONDS));
        RFuture<Void> open = latch.awaitAsync();
        RFuture<Boolean> inTime = latch.awaitAsync(10, TimeUnit.SECONDS);
        said.does("RCountDownLatch.countDown()", latch::countDown);
        said.does("RCountDownLatch.await()", latch::await);
        said.does("RCountDownLatch.awaitAsync()", () -> await(open));
        said.say("RCountDownLatch.awaitAsync(10, SECONDS)", await(inTime));
        said.say("RCountDownLatch.getCount()", latch.getCount());
        latch.delete();
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
