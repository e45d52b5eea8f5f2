package io.holdfast.bench.contestant;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's {@code JdbcLockRegistry}, with a pool that has a connection for each thread. */
final class SpringJdbcLocks implements LockClient {

    private static final int CONNECTIONS = 16;

    private final JdbcLockRegistry registry;
    private final ExecutorService keepers = Executors.newFixedThreadPool(CONNECTIONS);

    SpringJdbcLocks(Address address, Usage usage) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(address.jdbcUrl());
        settings.setMaximumPoolSize(usage.alone() ? 1 : CONNECTIONS);
        HikariDataSource pool = new HikariDataSource(settings);
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        this.registry = new JdbcLockRegistry(repository, usage.lease());
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
