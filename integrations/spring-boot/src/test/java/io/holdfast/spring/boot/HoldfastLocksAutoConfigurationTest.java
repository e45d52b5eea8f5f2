package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spring.EnableHoldfastLocks;
import io.holdfast.spring.InTransaction;
import io.holdfast.spring.LockBusyException;
import io.holdfast.spring.LockDefaults;
import io.holdfast.spring.LockTemplate;
import io.holdfast.spring.WithLock;
import io.holdfast.spring.integration.HoldfastLockRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

@DisplayName("@WithLock and the lock registry, auto-configured")
class HoldfastLocksAutoConfigurationTest {

    private final ApplicationContextRunner memory = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    HoldfastAutoConfiguration.class,
                    HoldfastLocksAutoConfiguration.class,
                    HoldfastIntegrationAutoConfiguration.class))
            .withPropertyValues("holdfast.uri=memory:");

    interface Sold {
        long sell(int id);
    }

    static class Orders implements Sold {
        @Override
        @WithLock("order:{#p0}")
        public long sell(int id) {
            return LockTemplate.currentLease().map(Lease::token).orElseThrow();
        }
    }

    @Test
    @DisplayName("a method runs under its lock, and waits for as long as the property says")
    void annotation() {
        memory.withBean(Orders.class)
                .withPropertyValues("holdfast.locks.wait-at-most=50ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Orders orders = context.getBean(Orders.class);
                    assertThat(AopUtils.isCglibProxy(orders)).isTrue();
                    assertThat(orders.sell(1)).isPositive();
                    try (Lease lease =
                            context.getBean(Holdfast.class).lock("order:2").acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        assertThatThrownBy(() -> orders.sell(2)).isInstanceOf(LockBusyException.class);
                    }
                    assertThat(context).hasSingleBean(LockTemplate.class);
                });
    }

    @Test
    @DisplayName("properties set the defaults, and a bean of the application's replaces them")
    void defaults() {
        memory.withPropertyValues("holdfast.locks.in-transaction=refuse")
                .run(context -> assertThat(context.getBean(LockDefaults.class))
                        .isEqualTo(new LockDefaults(null, InTransaction.REFUSE)));
        LockDefaults own = new LockDefaults(Duration.ofSeconds(3), InTransaction.HOLD);
        memory.withBean(LockDefaults.class, () -> own)
                .run(context -> assertThat(context.getBean(LockDefaults.class)).isSameAs(own));
    }

    @Test
    @DisplayName("an application that enables locks itself keeps its settings, and there is one advisor")
    void enabledByApplication() {
        memory.withUserConfiguration(Enabling.class).withBean(Orders.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Orders.class).sell(1)).isPositive();
            assertThat(context).doesNotHaveBean(HoldfastLocksAutoConfiguration.class);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks(order = 7)
    static class Enabling {}

    @Test
    @DisplayName("without holdfast-spring, or a client, there is neither")
    void without() {
        memory.withClassLoader(new FilteredClassLoader(EnableHoldfastLocks.class, HoldfastLockRegistry.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Holdfast.class)
                        .doesNotHaveBean("holdfastLockAdvisor"));
    }

    @Test
    @DisplayName("Spring Integration gets a registry on the client, with its prefix")
    void registry() {
        memory.withPropertyValues("holdfast.registry.prefix=si:").run(context -> {
            Lock lock = context.getBean(LockRegistry.class).obtain("a");
            assertThat(lock.tryLock(30, TimeUnit.SECONDS)).isTrue();
            assertThat(context.getBean(Holdfast.class).inspect("si:a").isLocked())
                    .isTrue();
            lock.unlock();
        });
    }

    @Test
    @DisplayName("a registry of the application's is left alone")
    void ownRegistry() {
        memory.withUserConfiguration(OwnRegistry.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(LockRegistry.class)
                        .doesNotHaveBean(HoldfastLockRegistry.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {
        @Bean
        DefaultLockRegistry locks() {
            return new DefaultLockRegistry();
        }
    }
}
