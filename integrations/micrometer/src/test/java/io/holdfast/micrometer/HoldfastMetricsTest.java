package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of a client")
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is counted
class HoldfastMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("time is over").isNegative();
            Thread.sleep(2);
        }
    }

    private long waits(String... tags) {
        return registry.get("holdfast.lock.wait").tags(tags).timer().count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    @DisplayName("count each event once, though they are bound to their registry twice")
    void boundTwice() throws Exception {
        HoldfastMetrics metrics = HoldfastMetrics.of(registry);
        metrics.bindTo(registry);
        try (Holdfast holdfast = Holdfast.builder()
                .uri("memory:" + UUID.randomUUID())
                .listener(metrics)
                .build()) {
            for (int i = 0; i < 3; i++) {
                holdfast.lock("a").lock();
                holdfast.lock("a").unlock();
            }
            until(() -> registry.get("holdfast.lock.hold").timer().count() >= 3);
            assertThat(registry.get("holdfast.lock.hold").timer().count()).isEqualTo(3);
            assertThat(waits("outcome", "granted", "path", "store")).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("agree with what was done")
    void agree() throws Exception {
        String uri = "memory:" + UUID.randomUUID();
        try (Holdfast holdfast = Holdfast.builder()
                        .uri(uri)
                        .listener(HoldfastMetrics.of(registry))
                        .build();
                Holdfast other = Holdfast.connect(uri)) {
            DistributedLock lock = holdfast.lock("a");
            for (int i = 0; i < 5; i++) {
                lock.lock();
                lock.lock(); // a re-entry counts as nothing
                lock.unlock();
                lock.unlock();
            }
            Lease taken = other.lock("b").acquire();
            assertThat(holdfast.lock("b").tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
            CompletableFuture<Lease> waiting = holdfast.lock("b").acquireAsync();
            lock.lock();
            until(() -> gauge("holdfast.lock.held") == 1 && gauge("holdfast.lock.waiting") == 1);
            lock.unlock();
            taken.close();
            waiting.get().close();
            holdfast.lock("short").acquire(Duration.ofMillis(50));
            until(() -> registry.get("holdfast.lock.lost")
                            .tag("reason", "expired")
                            .counter()
                            .count()
                    == 1);
            DistributedLock lingering =
                    holdfast.lock("l", LockOptions.defaults().linger(Duration.ofSeconds(5)));
            lingering.lock();
            lingering.unlock();
            lingering.lock();
            lingering.unlock();
            until(() -> registry.get("holdfast.lock.hold").timer().count() == 10);
            assertThat(waits("outcome", "granted", "path", "store")).isEqualTo(9);
            assertThat(waits("outcome", "granted", "path", "linger")).isEqualTo(1);
            assertThat(waits("outcome", "timeout", "path", "none")).isEqualTo(1);
            assertThat(waits("outcome", "interrupted", "path", "none")).isZero();
            assertThat(registry.get("holdfast.lock.wait")
                            .tags("outcome", "timeout")
                            .timer()
                            .max(TimeUnit.MILLISECONDS))
                    .isGreaterThanOrEqualTo(20);
            assertThat(registry.get("holdfast.store.command")
                            .tags("store", uri, "command", "claim", "outcome", "answered")
                            .timer()
                            .count())
                    .isGreaterThanOrEqualTo(10);
            assertThat(registry.get("holdfast.events.dropped").counter().count())
                    .isCloseTo(0, within(0.0));
            assertThat(registry.getMeters()).extracting(Meter::getId).noneMatch(id -> id.getTag("lock") != null);
        }
        until(() -> gauge("holdfast.lock.held") == 0 && gauge("holdfast.lock.waiting") == 0);
    }

    @Test
    @DisplayName("have the tag that names are mapped to, up to a maximum, and one more for the rest")
    void tags() throws Exception {
        HoldfastMetrics metrics = HoldfastMetrics.builder()
                .tags(Tags.of("app", "test"))
                .lockTag(name -> name.substring(0, name.indexOf(':')), 2)
                .build();
        metrics.bindTo(registry);
        try (Holdfast holdfast =
                Holdfast.builder().uri("memory:").listener(metrics).build()) {
            for (String name : new String[] {"orders:1", "users:1", "orders:2", "carts:1", "carts:2", "users:2"}) {
                holdfast.lock(name).acquire().close();
            }
            until(() -> registry.find("holdfast.lock.hold").tag("lock", "other").timer() != null
                    && registry.get("holdfast.lock.hold")
                                    .tag("lock", "other")
                                    .timer()
                                    .count()
                            == 2
                    && registry.get("holdfast.lock.hold")
                                    .tag("lock", "users")
                                    .timer()
                                    .count()
                            == 2);
            assertThat(registry.get("holdfast.lock.hold")
                            .tags("lock", "orders", "app", "test")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.find("holdfast.lock.hold").timers()).hasSize(3);
            Lease held = holdfast.lock("users:3").acquire();
            until(() -> gauge("holdfast.lock.held", "lock", "users") == 1);
            assertThat(gauge("holdfast.lock.held", "lock", "orders")).isZero();
            held.close();
        }
    }

    @Test
    @DisplayName("refuse a tag without values")
    void arguments() {
        assertThatThrownBy(() -> HoldfastMetrics.builder().lockTag(name -> name, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one value");
    }
}
