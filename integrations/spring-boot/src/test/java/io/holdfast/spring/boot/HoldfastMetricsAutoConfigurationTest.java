package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.micrometer.HoldfastMetrics;
import io.holdfast.micrometer.HoldfastObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The meters, auto-configured")
class HoldfastMetricsAutoConfigurationTest {

    private final ApplicationContextRunner memory = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastLocksAutoConfiguration.class,
                    HoldfastMetricsAutoConfiguration.class))
            .withPropertyValues("holdfast.uri=memory:");
    private final ApplicationContextRunner withRegistry =
            memory.withBean(SimpleMeterRegistry.class, () -> new SimpleMeterRegistry());
    private final ApplicationContextRunner withBoot = memory.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class));

    private static void lockAndUnlock(Holdfast holdfast) {
        var lock = holdfast.lock("a");
        lock.lock();
        lock.unlock();
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("time is over").isNegative();
            Thread.sleep(2);
        }
    }

    private static long holds(MeterRegistry registry) {
        return registry.get("holdfast.lock.hold").timer().count();
    }

    private static long granted(MeterRegistry registry) {
        return registry.get("holdfast.lock.wait")
                .tags("outcome", "granted", "path", "store")
                .timer()
                .count();
    }

    @Test
    @DisplayName("Boot finds them")
    void registered() {
        assertThat(ImportCandidates.load(
                        org.springframework.boot.autoconfigure.AutoConfiguration.class,
                        getClass().getClassLoader()))
                .contains(HoldfastMetricsAutoConfiguration.class.getName());
    }

    @Test
    @DisplayName("a lock and its release are counted in the application's registry")
    void counted() {
        withRegistry.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            lockAndUnlock(context.getBean(Holdfast.class));
            until(() -> holds(registry) == 1);
            assertThat(granted(registry)).isEqualTo(1);
        });
    }

    @Test
    @DisplayName("with Boot's metrics, which bind them too, each is counted once")
    void countedByBoot() {
        withBoot.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            for (int i = 0; i < 3; i++) {
                lockAndUnlock(context.getBean(Holdfast.class));
            }
            until(() -> holds(registry) >= 3);
            // A listener hears events in their order, so the grants of these holds are all counted.
            assertThat(granted(registry)).isEqualTo(3);
        });
    }

    @Test
    @DisplayName("a bean that locks while the context starts does not keep the application's filters off the registry")
    void early() {
        withBoot.withBean(MeterFilter.class, () -> MeterFilter.ignoreTags("reason"))
                .withBean("early", Early.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.find("holdfast.lock.lost").counters()).hasSize(1);
                });
    }

    /** A bean that locks while the context starts. */
    static final class Early {
        Early(Holdfast holdfast) {
            lockAndUnlock(holdfast);
        }
    }

    @Test
    @DisplayName("with several registries there is one count in each")
    void several() {
        withBoot.withBean("first", SimpleMeterRegistry.class, () -> new SimpleMeterRegistry())
                .withBean("second", SimpleMeterRegistry.class, () -> new SimpleMeterRegistry())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    lockAndUnlock(context.getBean(Holdfast.class));
                    for (String name : List.of("first", "second")) {
                        MeterRegistry registry = context.getBean(name, MeterRegistry.class);
                        until(() -> holds(registry) >= 1);
                        assertThat(granted(registry)).as(name).isEqualTo(1);
                    }
                });
    }

    @Test
    @DisplayName(
            "without holdfast-micrometer, without Micrometer or without a registry, the application starts and there are none")
    void without() {
        withRegistry
                .withClassLoader(new FilteredClassLoader("io.holdfast.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Holdfast.class)
                        .doesNotHaveBean(HoldfastMetricsAutoConfiguration.class));
        memory.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Holdfast.class)
                        .doesNotHaveBean(HoldfastMetricsAutoConfiguration.class));
        memory.run(context ->
                assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class).doesNotHaveBean("holdfastMetrics"));
    }

    @Test
    @DisplayName("can be switched off")
    void off() {
        withRegistry
                .withPropertyValues("holdfast.metrics.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastMetrics.class));
    }

    @Test
    @DisplayName("a listener of the application's hears as before, and meters of its own are left alone")
    void own() {
        AtomicInteger heard = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void released(LockEvent.Released event) {
                heard.incrementAndGet();
            }
        };
        withRegistry.withBean("mine", LockListener.class, () -> listener).run(context -> {
            lockAndUnlock(context.getBean(Holdfast.class));
            until(() -> heard.get() == 1 && holds(context.getBean(MeterRegistry.class)) == 1);
        });

        SimpleMeterRegistry elsewhere = new SimpleMeterRegistry();
        HoldfastMetrics metrics = HoldfastMetrics.of(elsewhere);
        withRegistry.withBean(HoldfastMetrics.class, () -> metrics).run(context -> {
            assertThat(context.getBean(HoldfastMetrics.class)).isSameAs(metrics);
            lockAndUnlock(context.getBean(Holdfast.class));
            until(() -> holds(elsewhere) == 1);
            assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
        });
    }

    @Test
    @DisplayName("waits and holds are observations only where that is asked for")
    void observations() {
        List<String> stopped = new CopyOnWriteArrayList<>();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context.getName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        ApplicationContextRunner observed = withRegistry.withBean(ObservationRegistry.class, () -> observations);
        observed.run(context -> assertThat(context).doesNotHaveBean(HoldfastObservations.class));
        observed.withPropertyValues("holdfast.observations.enabled=true").run(context -> {
            lockAndUnlock(context.getBean(Holdfast.class));
            until(() -> stopped.size() == 2);
            assertThat(stopped).containsExactly("holdfast.wait", "holdfast.hold");
        });
    }
}
