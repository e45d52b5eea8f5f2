package io.holdfast.bench.contestant;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redisson's {@code RLock}. */
final class RedissonLocks implements LockClient {

    private final RedissonClient redisson;

    RedissonLocks(Address address, Usage usage) {
        Config config = new Config();
        config.setLockWatchdogTimeout(usage.lease().toMillis());
        config.setUsername(address.user());
        config.setPassword(address.password());
        connect(config, address, usage.alone());
        this.redisson = Redisson.create(config);
    }

    private static void connect(Config config, Address address, boolean alone) {
        List<String> urls =
                address.nodes().stream().map(node -> "redis://" + node).toList();
        if (address.store() == Store.REDIS) {
            SingleServerConfig server =
                    config.useSingleServer().setAddress(urls.get(0)).setDatabase(address.database());
            if (alone) {
                server.setConnectionMinimumIdleSize(1);
            }
            return;
        }
        BaseMasterSlaveServersConfig<?> servers = address.store() == Store.CLUSTER
                ? config.useClusterServers().addNodeAddress(urls.toArray(String[]::new))
                : config.useMasterSlaveServers()
                        .setMasterAddress(urls.get(0))
                        .addSlaveAddress(urls.stream().skip(1).toArray(String[]::new));
        if (alone) {
            servers.setMasterConnectionMinimumIdleSize(1).setSlaveConnectionMinimumIdleSize(1);
        }
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
