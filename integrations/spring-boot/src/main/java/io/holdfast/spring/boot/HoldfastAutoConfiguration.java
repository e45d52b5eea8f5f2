package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.LockListener;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.redis.RedisStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.spring.boot.HoldfastProperties.StoreType;
import io.holdfast.zookeeper.ZooKeeperStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * A {@link Holdfast} client, unless the application defines one. Its store is, in this order: {@code holdfast.uri}; a bean of type
 * {@link LockStore}; the application's Redis, its {@code DataSource} or its {@code CuratorFramework}, of those whose store is on
 * the class path. Where these are several, {@code holdfast.store} has to choose, or the start fails.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration"
        })
@ConditionalOnMissingBean(Holdfast.class)
@EnableConfigurationProperties(HoldfastProperties.class)
@ImportRuntimeHints(HoldfastRuntimeHints.class)
public class HoldfastAutoConfiguration {

    @Bean(destroyMethod = "close")
    Holdfast holdfast(
            HoldfastProperties properties,
            ObjectProvider<LockStore> stores,
            ObjectProvider<StoreCandidate> candidates,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<HoldfastBuilderCustomizer> customizers) {
        Holdfast.Builder builder =
                Holdfast.builder().lease(properties.getLease()).timeout(properties.getTimeout());
        if (properties.getClientName() != null) {
            builder.clientName(properties.getClientName());
        }
        if (properties.isVerify()) {
            builder.verify();
        }
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        if (properties.getUri() != null) {
            return builder.uri(properties.getUri()).build();
        }
        LockStore store = stores.getIfAvailable();
        if (store == null) {
            StoreCandidate candidate = choose(candidates.orderedStream().toList(), properties.getStore());
            String name = properties.getClientName();
            store = candidate.open(new StoreConfig(name == null ? "holdfast" : name, properties.getTimeout()));
        }
        try {
            return builder.store(store).build();
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    static StoreCandidate choose(List<StoreCandidate> candidates, @Nullable StoreType wanted) {
        List<StoreCandidate> possible = candidates.stream()
                .filter(candidate -> wanted == null || candidate.type() == wanted)
                .toList();
        if (possible.isEmpty()) {
            throw new NoStoreException(wanted);
        }
        if (possible.size() > 1) {
            throw new SeveralStoresException(possible);
        }
        return possible.get(0);
    }

    @Bean
    HoldfastLifecycle holdfastLifecycle(Holdfast holdfast) {
        return new HoldfastLifecycle(holdfast);
    }

    @Bean
    RecentLosses holdfastRecentLosses(HoldfastProperties properties) {
        return new RecentLosses(properties.getHealth().getRecent());
    }

    /** Callbacks and continuations of futures, where the application wants its own tasks on virtual threads. */
    @Bean
    @ConditionalOnThreading(Threading.VIRTUAL)
    @Order(0)
    HoldfastBuilderCustomizer holdfastVirtualThreads() {
        return builder -> {
            SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("holdfast-");
            executor.setVirtualThreads(true);
            builder.executor(executor);
        };
    }

    /** The application's Redis, with Lettuce. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisStore.class, RedisClient.class, DataRedisConnectionDetails.class})
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    static class OnRedis {

        @Bean
        RedisStoreCandidate holdfastRedisStoreCandidate(
                DataRedisConnectionDetails details,
                ObjectProvider<ClientResources> resources,
                HoldfastProperties properties) {
            return new RedisStoreCandidate(details, resources.getIfUnique(), properties);
        }
    }

    /** The application's database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcStore.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    static class OnDataSource {

        @Bean
        JdbcStoreCandidate holdfastJdbcStoreCandidate(DataSource dataSource) {
            return new JdbcStoreCandidate(dataSource);
        }
    }

    /** The application's ZooKeeper. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ZooKeeperStore.class, CuratorFramework.class})
    @ConditionalOnSingleCandidate(CuratorFramework.class)
    static class OnCurator {

        @Bean
        ZooKeeperStoreCandidate holdfastZooKeeperStoreCandidate(
                CuratorFramework curator, ObjectProvider<ACLProvider> acls, HoldfastProperties properties) {
            ACLProvider provider = acls.getIfUnique();
            List<ACL> acl = provider == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : provider.getDefaultAcl();
            return new ZooKeeperStoreCandidate(
                    curator, properties.getZookeeper().getRoot(), acl);
        }
    }
}
