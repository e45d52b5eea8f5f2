package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.redis.RedisStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.StoreConfig;
import io.holdfast.zookeeper.ZooKeeperStore;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

@DisplayName("The auto-configuration of the client")
class HoldfastAutoConfigurationTest {

    private static final String H2 = "spring.datasource.url=jdbc:h2:mem:";

    private final ApplicationContextRunner none = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withPropertyValues("holdfast.timeout=60s"); // the machine may be busy
    private final ApplicationContextRunner redis = none.withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=" + RedisServers.port());
    private final ApplicationContextRunner jdbc =
            none.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class));

    @Test
    @DisplayName("a URI is first, whatever else there is")
    void uri() {
        redis.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("holdfast.uri=memory:", H2 + "uri")
                .withBean(
                        LockStore.class,
                        () -> {
                            throw new AssertionError("must not be made");
                        },
                        definition -> definition.setLazyInit(true))
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).guarantee()).isEqualTo(Guarantee.LOCAL));
    }

    @Test
    @DisplayName("a bean of type LockStore is second")
    void storeBean() {
        JdbcStore store = JdbcStore.open("jdbc:h2:mem:bean", new StoreConfig("bean", Duration.ofSeconds(5)));
        redis.withBean(LockStore.class, () -> store)
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).toString()).contains("jdbc:h2:mem:bean"));
    }

    @Test
    @DisplayName("the application's Redis is used, on its threads, and its connection factory stays the only one")
    void onRedis() {
        redis.run(context -> {
            Holdfast holdfast = context.getBean(Holdfast.class);
            assertThat(locks(holdfast, "boot:redis")).isTrue();
            assertThat(holdfast.toString()).contains("Redis");
            assertThat(context).hasSingleBean(RedisConnectionFactory.class);
            assertThat(context).hasSingleBean(ClientResources.class);
            try (Holdfast other = Holdfast.connect("redis://127.0.0.1:" + RedisServers.port());
                    var lease = holdfast.lock("boot:shared").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(other.lock("boot:shared").tryLock()).isFalse();
            }
        });
    }

    @Test
    @DisplayName("the password of the application's Redis is used, and appears nowhere")
    void password() {
        redis.withPropertyValues(
                        "spring.data.redis.port=" + RedisServers.portWithPassword(),
                        "spring.data.redis.password=" + RedisServers.PASSWORD)
                .run(context -> {
                    Holdfast holdfast = context.getBean(Holdfast.class);
                    assertThat(locks(holdfast, "boot:password")).isTrue();
                    assertThat(holdfast.toString()).doesNotContain(RedisServers.PASSWORD);
                });
    }

    @Test
    @DisplayName("a wrong password is told at the start where that is asked for")
    void verify() {
        redis.withPropertyValues(
                        "spring.data.redis.port=" + RedisServers.portWithPassword(),
                        "spring.data.redis.password=wrong",
                        "holdfast.verify=true",
                        "holdfast.timeout=2s")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    @DisplayName("the application's DataSource is used")
    void onDataSource() {
        jdbc.withPropertyValues(H2 + "source").run(context -> {
            Holdfast holdfast = context.getBean(Holdfast.class);
            assertThat(locks(holdfast, "boot:jdbc")).isTrue();
            assertThat(holdfast.toString()).contains("given data source");
        });
    }

    @Test
    @DisplayName("the application's Curator is used")
    void onCurator() throws Exception {
        try (TestingServer server = new TestingServer()) {
            none.withBean(
                            CuratorFramework.class,
                            () -> CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100)),
                            definition -> {
                                definition.setInitMethodName("start");
                                definition.setDestroyMethodName("close");
                            })
                    .run(context -> {
                        assertThat(locks(context.getBean(Holdfast.class), "boot:curator"))
                                .isTrue();
                        CuratorFramework curator = context.getBean(CuratorFramework.class);
                        assertThat(curator.checkExists().forPath("/holdfast")).isNotNull();
                    });
        }
    }

    @Test
    @DisplayName(
            "two connections that could have the locks are not guessed between: the start fails and says what to set")
    void ambiguous() {
        ApplicationContextRunner both = redis.withConfiguration(
                        AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues(H2 + "both");
        both.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new HoldfastAnalyzers.SeveralStores().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getAction()).contains("holdfast.store=redis", "holdfast.store=jdbc", "holdfast.uri");
        });
        both.withPropertyValues("holdfast.store=jdbc")
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).toString()).contains("given data source"));
        both.withPropertyValues("holdfast.store=redis")
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).toString()).contains("Redis"));
        both.withClassLoader(new FilteredClassLoader(JdbcStore.class))
                .run(context ->
                        assertThat(context.getBean(Holdfast.class).toString()).contains("Redis"));
    }

    @Test
    @DisplayName("no connection at all: the start fails and says what to add")
    void nothing() {
        none.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new HoldfastAnalyzers.NoStore().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getAction()).contains("holdfast.uri", "holdfast-redis", "holdfast-jdbc");
        });
        redis.withPropertyValues("holdfast.store=jdbc").run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new HoldfastAnalyzers.NoStore().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getAction()).contains("DataSource");
        });
    }

    @Test
    @DisplayName("without the libraries of the stores it starts, with a URI")
    void filtered() {
        none.withClassLoader(new FilteredClassLoader(
                        "io.holdfast.redis",
                        "io.holdfast.jdbc",
                        "io.holdfast.zookeeper",
                        "io.lettuce",
                        "org.apache.curator",
                        "org.springframework.boot.data.redis",
                        "org.springframework.boot.jdbc",
                        "javax.sql"))
                .withPropertyValues("holdfast.uri=memory:")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    @Test
    @DisplayName("a client of the application's is left alone, and no other is made")
    void ownClient() {
        redis.withUserConfiguration(OwnClient.class).run(context -> {
            assertThat(context).hasSingleBean(Holdfast.class);
            assertThat(context.getBean(Holdfast.class).guarantee()).isEqualTo(Guarantee.LOCAL);
            assertThat(context).doesNotHaveBean(HoldfastLifecycle.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {
        @Bean
        Holdfast mine() {
            return Holdfast.connect("memory:");
        }
    }

    @Test
    @DisplayName("properties, listeners and customizers reach the client")
    void settings() {
        CompletableFuture<String> granted = new CompletableFuture<>();
        none.withPropertyValues("holdfast.uri=memory:", "holdfast.lease=7s", "holdfast.client-name=first")
                .withBean(io.holdfast.LockListener.class, () -> new io.holdfast.LockListener() {
                    @Override
                    public void granted(io.holdfast.LockEvent.Granted event) {
                        granted.complete(event.name());
                    }
                })
                .withBean(HoldfastBuilderCustomizer.class, () -> builder -> builder.clientName("second"))
                .run(context -> {
                    Holdfast holdfast = context.getBean(Holdfast.class);
                    try (var lease = holdfast.lock("settings").acquire()) {
                        assertThat(lease.remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(7));
                        assertThat(holdfast.inspect("settings").holders().get(0).client())
                                .isEqualTo("second");
                    }
                    assertThat(granted.get(30, TimeUnit.SECONDS)).isEqualTo("settings");
                });
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    @DisplayName("callbacks are on virtual threads where Boot has them on")
    void virtualThreads() {
        none.withPropertyValues("holdfast.uri=memory:", "spring.threads.virtual.enabled=true")
                .run(context -> {
                    CompletableFuture<String> thread = context.getBean(Holdfast.class)
                            .lock("virtual")
                            .acquireAsync()
                            .thenApplyAsync(lease -> lease, Runnable::run)
                            .thenApply(lease -> {
                                lease.close();
                                return Thread.currentThread().toString();
                            });
                    assertThat(thread.get(30, TimeUnit.SECONDS)).isNotNull();
                    CompletableFuture<String> callback = new CompletableFuture<>();
                    try (var lease =
                            context.getBean(Holdfast.class).lock("virtual").acquire(Duration.ofMillis(50))) {
                        lease.onLost(
                                lost -> callback.complete(Thread.currentThread().toString()));
                        assertThat(callback.get(30, TimeUnit.SECONDS)).contains("VirtualThread", "holdfast-");
                    }
                });
    }

    @Test
    @DisplayName("the stores run on the libraries that Boot manages")
    void managedVersions() {
        assertThat(location(io.lettuce.core.RedisClient.class)).containsPattern("lettuce-core-(6\\.8|7\\.5)\\.");
        assertThat(location(com.zaxxer.hikari.HikariDataSource.class)).containsPattern("HikariCP-7\\.0\\.");
        assertThat(location(org.h2.Driver.class)).containsPattern("h2-2\\.4\\.");
        assertThat(RedisStore.class).isNotNull();
        assertThat(ZooKeeperStore.class).isNotNull();
    }

    private static String location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    static boolean locks(Holdfast holdfast, String name) throws InterruptedException {
        var lock = holdfast.lock(name);
        if (!lock.tryLock(30, TimeUnit.SECONDS)) {
            return false;
        }
        try {
            return lock.isHeldByCurrentThread() && lock.lease().token() > 0;
        } finally {
            lock.unlock();
        }
    }
}
