package io.holdfast.bench.contestant;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's {@code RedisLockRegistry} over Lettuce. */
final class SpringLocks implements LockClient {

    /** There is no asynchronous call, so as many threads as help. */
    private static final int KEEPERS = 64;

    /** The registry forgets locks beyond this, even held ones. */
    private static final int CAPACITY = 1_000_000;

    private final RedisLockRegistry registry;
    private final ExecutorService keepers;

    SpringLocks(Address address, Usage usage, boolean pubSub) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(address.host(), address.port());
        server.setDatabase(address.database());
        if (address.user() != null) {
            server.setUsername(address.user());
        }
        if (address.password() != null) {
            server.setPassword(address.password());
        }
        LettuceConnectionFactory connections = new LettuceConnectionFactory(server);
        connections.afterPropertiesSet();
        connections.start();
        this.registry = new RedisLockRegistry(connections, "bench", usage.lease());
        registry.setRedisLockType(pubSub ? RedisLockType.PUB_SUB_LOCK : RedisLockType.SPIN_LOCK);
        registry.setCacheCapacity(CAPACITY);
        if (usage.renewing()) {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setDaemon(true);
            scheduler.setRemoveOnCancelPolicy(true);
            scheduler.initialize();
            registry.setRenewalTaskScheduler(scheduler);
        }
        this.keepers = Executors.newFixedThreadPool(KEEPERS);
    }

    @Override
    public Lock lock(String name) {
        return registry.obtain(name);
    }

    @Override
    public CompletionStage<?> keep(String name, long owner) {
        return CompletableFuture.runAsync(() -> registry.obtain(name).lock(), keepers);
    }
}
