package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LossReason;
import io.holdfast.spi.Mode;
import java.io.IOException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.PropertiesLoaderUtils;

@DisplayName("Health and the endpoint")
class ActuatorTest {

    private final ApplicationContextRunner memory = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastHealthAutoConfiguration.class,
                    HoldfastEndpointAutoConfiguration.class,
                    EndpointAutoConfiguration.class))
            .withPropertyValues("holdfast.uri=memory:");

    @Test
    @DisplayName("health is up, and tells the guarantee and the leases lost lately")
    void up() {
        memory.run(context -> {
            Health health = context.getBean(HoldfastHealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).hasToString("{guarantee=LOCAL, recentLosses=0}");
            try (Lease lease = context.getBean(Holdfast.class).lock("lost").acquire(Duration.ofMillis(10))) {
                while (lease.isValid()) {
                    Thread.onSpinWait();
                }
            } catch (io.holdfast.LeaseLostException expected) {
                // it was, and so it says
            }
            RecentLosses losses = context.getBean(RecentLosses.class);
            while (losses.count() == 0) {
                Thread.sleep(5);
            }
            assertThat(context.getBean(HoldfastHealthIndicator.class).health().getDetails())
                    .containsEntry("recentLosses", 1);
        });
    }

    @Test
    @DisplayName("a loss is told for the time that is set, and then no longer")
    void recent() {
        AtomicLong now = new AtomicLong();
        RecentLosses losses = new RecentLosses(Duration.ofMinutes(10), now::get);
        losses.lost(lost("a", 1));
        now.addAndGet(Duration.ofMinutes(6).toNanos());
        losses.lost(lost("b", 2));
        assertThat(losses.count()).isEqualTo(2);
        now.addAndGet(Duration.ofMinutes(6).toNanos());
        assertThat(losses.count()).isEqualTo(1);
        for (int i = 0; i < 2 * RecentLosses.MOST; i++) {
            losses.lost(lost("c", i));
        }
        assertThat(losses.count()).isEqualTo(RecentLosses.MOST);
    }

    private static LockEvent.Lost lost(String name, long token) {
        return new LockEvent.Lost(
                name, Mode.EXCLUSIVE, token, LossReason.values()[0], "a text", Duration.ofSeconds(1), false);
    }

    @Test
    @DisplayName("health is down while the store does not answer, and the application starts all the same")
    void down() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        HoldfastAutoConfiguration.class,
                        HoldfastHealthAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.port=1", "holdfast.timeout=500ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(HoldfastHealthIndicator.class)
                                    .health()
                                    .getStatus())
                            .isEqualTo(Status.DOWN);
                });
    }

    @Test
    @DisplayName("without Actuator, or switched off, there is neither")
    void off() throws IOException {
        // Boot reads this before it looks at the classes.
        Properties conditions =
                PropertiesLoaderUtils.loadAllProperties("META-INF/spring-autoconfigure-metadata.properties");
        assertThat(conditions.getProperty(HoldfastEndpointAutoConfiguration.class.getName() + ".ConditionalOnClass"))
                .contains("ConditionalOnAvailableEndpoint");
        assertThat(conditions.getProperty(HoldfastHealthAutoConfiguration.class.getName() + ".ConditionalOnClass"))
                .contains("ConditionalOnEnabledHealthIndicator");
        memory.withPropertyValues("management.health.holdfast.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HoldfastHealthIndicator.class));
    }

    @Test
    @DisplayName("the endpoint is there only where it is exposed, and reads only by default")
    void exposed() throws Exception {
        memory.run(context -> assertThat(context).doesNotHaveBean(HoldfastEndpoint.class));
        memory.withPropertyValues("management.endpoints.jmx.exposure.include=holdfast", "spring.jmx.enabled=true")
                .run(context -> assertThat(context).hasSingleBean(HoldfastEndpoint.class));
        assertThat(HoldfastEndpoint.class.getAnnotation(Endpoint.class).defaultAccess())
                .isEqualTo(Access.READ_ONLY);
        assertThat(HoldfastEndpoint.class.getMethod("lock", String.class).isAnnotationPresent(ReadOperation.class))
                .isTrue();
    }

    @Test
    @DisplayName(
            "the endpoint lists locks by their prefix, shows one with its holders, and ends the claim with the token that is named")
    void reads() {
        memory.run(context -> {
            Holdfast holdfast = context.getBean(Holdfast.class);
            HoldfastEndpoint endpoint = new HoldfastEndpoint(holdfast);
            try (Lease one = holdfast.lock("orders:1").acquire();
                    Lease two = holdfast.lock("stock:1").acquire()) {
                assertThat(endpoint.locks(null).locks()).hasSize(2);
                assertThat(endpoint.locks("orders").locks())
                        .singleElement()
                        .satisfies(lock -> assertThat(lock.holders())
                                .singleElement()
                                .satisfies(holder -> assertThat(holder.token()).isEqualTo(one.token())));
                assertThat(endpoint.lock("stock:1").holders()).hasSize(1);
                assertThat(two.isValid()).isTrue();
            }
            assertThat(endpoint.lock("stock:1").holders()).isEmpty();
            Lease stuck = holdfast.lock("stuck").acquire();
            assertThat(endpoint.release("stuck", stuck.token() + 1)).containsEntry("released", false);
            assertThat(endpoint.lock("stuck").holders()).hasSize(1);
            assertThat(endpoint.release("stuck", stuck.token())).containsEntry("released", true);
            assertThat(endpoint.lock("stuck").holders()).isEmpty();
            assertThat(endpoint.locks(null).guarantee()).isEqualTo("LOCAL");
        });
    }
}
