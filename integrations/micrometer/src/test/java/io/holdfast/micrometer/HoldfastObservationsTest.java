package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The observations of a client")
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is observed
class HoldfastObservationsTest {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

    @BeforeEach
    void handle() {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("time is over").isNegative();
            Thread.sleep(2);
        }
    }

    private static String low(Observation.Context context, String key) {
        return context.getLowCardinalityKeyValues().stream()
                .filter(pair -> pair.getKey().equals(key))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    @DisplayName("are a wait and a hold, children of what is current where the lock is asked for, with the raw name")
    void children() throws Exception {
        try (Holdfast holdfast = Holdfast.builder()
                .uri("memory:")
                .listener(new HoldfastObservations(registry))
                .build()) {
            DistributedLock lock = holdfast.lock("orders:42");
            Observation outer = Observation.start("outer", registry);
            try (Observation.Scope scope = outer.openScope()) {
                lock.lock();
                lock.unlock();
            }
            until(() -> stopped.size() == 2);
            outer.stop();
            assertThat(stopped).extracting(Observation.Context::getName).startsWith("holdfast.wait", "holdfast.hold");
            assertThat(stopped.subList(0, 2)).allSatisfy(context -> {
                assertThat(context.getParentObservation()).isSameAs(outer);
                assertThat(context.getHighCardinalityKeyValues())
                        .anySatisfy(pair -> assertThat(pair.getValue()).isEqualTo("orders:42"));
                assertThat(context.getLowCardinalityKeyValues())
                        .noneSatisfy(pair -> assertThat(pair.getValue()).isEqualTo("orders:42"));
            });
            assertThat(low(stopped.get(0), "outcome")).isEqualTo("granted");
            assertThat(low(stopped.get(0), "path")).isEqualTo("store");
            assertThat(low(stopped.get(1), "outcome")).isEqualTo("released");
        }
    }

    @Test
    @DisplayName("say that a wait was in vain, and that a hold was lost")
    void failures() throws Exception {
        String uri = "memory:" + UUID.randomUUID();
        try (Holdfast holdfast = Holdfast.builder()
                        .uri(uri)
                        .listener(new HoldfastObservations(registry))
                        .build();
                Holdfast other = Holdfast.connect(uri)) {
            other.lock("a").acquire();
            assertThat(holdfast.lock("a").tryLock()).isFalse();
            until(() -> stopped.size() == 1);
            assertThat(low(stopped.get(0), "outcome")).isEqualTo("timeout");
            holdfast.lock("b").acquire(Duration.ofMillis(50));
            until(() -> stopped.size() == 3);
            assertThat(stopped.get(2).getName()).isEqualTo("holdfast.hold");
            assertThat(stopped.get(2).getError()).isInstanceOf(LeaseLostException.class);
        }
    }
}
