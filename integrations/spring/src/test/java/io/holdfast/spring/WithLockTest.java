package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@DisplayName("A method with a lock")
class WithLockTest {

    @Configuration
    @EnableHoldfastLocks
    static class Config {

        @Bean
        Holdfast holdfast() {
            return Holdfast.connect("memory:with-lock");
        }

        @Bean
        Orders orders() {
            return new Orders();
        }
    }

    static class Orders {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @WithLock("order:{#id}")
        public String ship(long id) {
            runs.incrementAndGet();
            return LockTemplate.currentLease().map(Lease::name).orElse("none");
        }

        @WithLock(name = "order:{#id}", onBusy = OnBusy.THROW)
        public void tryShip(long id) {
            runs.incrementAndGet();
        }

        @WithLock(name = "order:{#id}", onBusy = OnBusy.SKIP)
        public Optional<String> maybeShip(long id) {
            runs.incrementAndGet();
            return Optional.of("shipped");
        }

        @WithLock("order:{#id}")
        public CompletableFuture<String> shipLater(long id, CompletableFuture<String> work) {
            runs.incrementAndGet();
            return work;
        }
    }

    private AnnotationConfigApplicationContext context;
    private Holdfast other;
    private Orders orders;

    @BeforeEach
    void start() {
        context = new AnnotationConfigApplicationContext(Config.class);
        other = Holdfast.connect("memory:with-lock");
        orders = context.getBean(Orders.class);
    }

    @AfterEach
    void stop() {
        context.close();
        other.close();
    }

    @Test
    @DisplayName("holds the lock of the evaluated name while it runs")
    void holds() {
        assertThat(orders.ship(1)).isEqualTo("order:1");
        assertThat(other.inspect("order:1").isLocked()).isFalse();
    }

    @Test
    @DisplayName("throws or is skipped if another client has the lock")
    void busy() throws Exception {
        try (Lease lease = other.lock("order:2").acquire()) {
            assertThatThrownBy(() -> orders.tryShip(2)).isInstanceOf(LockBusyException.class);
            assertThat(orders.maybeShip(2)).isEmpty();
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(orders.maybeShip(2)).contains("shipped");
        assertThat(orders.runs()).isEqualTo(1);
    }

    @Test
    @DisplayName("holds the lock until its stage has completed")
    void stage() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = orders.shipLater(3, work);
        while (!other.inspect("order:3").isLocked() || orders.runs() == 0) {
            Thread.onSpinWait();
        }
        assertThat(other.lock("order:3").tryAcquire(Duration.ZERO)).isEmpty();
        work.complete("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(other.inspect("order:3").isLocked()).isFalse();
    }
}
