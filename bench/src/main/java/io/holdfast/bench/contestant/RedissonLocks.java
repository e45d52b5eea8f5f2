package io.holdfast.bench.contestant;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock}. */
final class RedissonLocks implements LockClient {

    private final RedissonClient redisson;

    RedissonLocks(Address address, Duration lease) {
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        config.setUsername(address.user());
        config.setPassword(address.password());
        config.useSingleServer()
                .setAddress("redis://" + address.host() + ":" + address.port())
                .setDatabase(address.database());
        this.redisson = Redisson.create(config);
    }

    @Override
    public Lock lock(String name) {
        return redisson.getLock(name);
    }

    @Override
    public Lock fairLock(String name) {
        return redisson.getFairLock(name);
    }

    @Override
    public ReadWriteLock readWriteLock(String name) {
        return redisson.getReadWriteLock(name);
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return redisson.getLock(name).lockAsync(owner);
    }
}
