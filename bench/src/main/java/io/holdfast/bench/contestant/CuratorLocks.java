package io.holdfast.bench.contestant;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Curator's {@code InterProcessMutex}, one for each name as its users have it. */
final class CuratorLocks implements LockClient {

    /** There is no asynchronous call, so as many threads as help. */
    private static final int KEEPERS = 64;

    private final CuratorFramework curator;
    private final Map<String, Lock> locks = new ConcurrentHashMap<>();
    private final ExecutorService keepers = Executors.newFixedThreadPool(KEEPERS);

    CuratorLocks(Address address) {
        this.curator = CuratorFrameworkFactory.newClient(address.hosts(), new ExponentialBackoffRetry(1_000, 3));
        curator.start();
    }

    @Override
    public Lock lock(String name) {
        return locks.computeIfAbsent(name, key -> new Mutex(new InterProcessMutex(curator, "/curator/" + key)));
    }

    /** The same: waiting clients are served in the order of their nodes. */
    @Override
    public Lock fairLock(String name) {
        return lock(name);
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return CompletableFuture.runAsync(lock(name)::lock, keepers);
    }

    /** Its exceptions are checked, and it is not a {@code Lock}. */
    private record Mutex(InterProcessMutex mutex) implements Lock {

        @Override
        public void lock() {
            try {
                mutex.acquire();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public boolean tryLock() {
            return tryLock(0, TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            try {
                return mutex.acquire(time, unit);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void lockInterruptibly() {
            lock();
        }

        @Override
        public void unlock() {
            try {
                mutex.release();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }
}
