package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

@DisplayName("The life of the client in a context")
class HoldfastLifecycleTest {

    private final ApplicationContextRunner redis = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=" + RedisServers.port());

    @Test
    @DisplayName("a stopped context leaves nothing held")
    void stopped() {
        try (Holdfast other = Holdfast.connect("redis://127.0.0.1:" + RedisServers.port())) {
            redis.run(context -> {
                Lease lease =
                        context.getBean(Holdfast.class).lock("boot:stopped").acquire();
                assertThat(other.inspect("boot:stopped").isLocked()).isTrue();
                ((ConfigurableApplicationContext) context.getSourceApplicationContext()).stop();
                assertThat(other.inspect("boot:stopped").isLocked()).isFalse();
                assertThat(lease.isValid()).isFalse();
            });
        }
    }

    @Test
    @DisplayName("locks are given back after the executors' phase and before the connection factory's")
    void order() {
        try (Holdfast other = Holdfast.connect("redis://127.0.0.1:" + RedisServers.port())) {
            List<String> seen = new CopyOnWriteArrayList<>();
            redis.withBean(
                            "executors",
                            Observer.class,
                            () -> new Observer(
                                    Integer.MAX_VALUE / 2,
                                    () -> seen.add("executors: "
                                            + other.inspect("boot:order").isLocked())))
                    .withBean(
                            "connections",
                            Observer.class,
                            () -> new Observer(
                                    0,
                                    () -> seen.add("connections: "
                                            + other.inspect("boot:order").isLocked())))
                    .run(context ->
                            context.getBean(Holdfast.class).lock("boot:order").acquire());
            assertThat(seen).containsExactly("executors: true", "connections: false");
        }
    }

    @Test
    @DisplayName("a context that was stopped does not start again with a closed client")
    void restarted() {
        redis.run(context -> {
            HoldfastLifecycle lifecycle = context.getBean(HoldfastLifecycle.class);
            lifecycle.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            assertThatThrownBy(lifecycle::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("make a new context");
        });
    }

    private static final class Observer implements SmartLifecycle {

        private final int phase;
        private final Runnable atStop;
        private boolean running;

        Observer(int phase, Runnable atStop) {
            this.phase = phase;
            this.atStop = atStop;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            atStop.run();
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }
}
