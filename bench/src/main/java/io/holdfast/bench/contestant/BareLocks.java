package io.holdfast.bench.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock that people write themselves: {@code SET NX PX}, compare-and-delete, and looking again every ten
 * milliseconds. Nothing is renewed, told, counted or woken, and it is not re-entrant.
 */
final class BareLocks implements LockClient {

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String digest;
    private final SetArgs ifFree;
    private final String id = UUID.randomUUID().toString();
    private final AtomicLong count = new AtomicLong();

    BareLocks(Address address, Duration lease) {
        this.client = LettuceClients.create(address);
        this.connection = client.connect();
        this.digest = connection.sync().scriptLoad(RELEASE);
        this.ifFree = SetArgs.Builder.nx().px(lease.toMillis());
    }

    @Override
    public Lock lock(String name) {
        return new BareLock(name);
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return connection.async().set(name, id, ifFree);
    }

    private final class BareLock implements Lock {

        private final String name;
        /** Of the holder; only the holder writes it. */
        private volatile String token = "";

        BareLock(String name) {
            this.name = name;
        }

        @Override
        public void lock() {
            while (!tryLock()) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }

        @Override
        public boolean tryLock() {
            String mine = id + ":" + count.incrementAndGet();
            boolean taken = connection.sync().set(name, mine, ifFree) != null;
            if (taken) {
                token = mine;
            }
            return taken;
        }

        @Override
        public void unlock() {
            RedisCommands<String, String> redis = connection.sync();
            Long deleted = redis.evalsha(digest, ScriptOutputType.INTEGER, new String[] {name}, token);
            if (deleted == null || deleted != 1) {
                throw new IllegalMonitorStateException("the lock " + name + " was lost");
            }
        }

        @Override
        public void lockInterruptibly() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }
}
