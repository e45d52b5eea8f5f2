package io.holdfast.spring.boot;

import io.holdfast.micrometer.HoldfastMetrics;
import io.holdfast.micrometer.HoldfastObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The client's meters in the application's {@link MeterRegistry}, and, where {@code holdfast.observations.enabled} is set, its waits and
 * holds as observations. Both are {@link io.holdfast.LockListener} beans, which the client is built with.
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({HoldfastMetrics.class, MeterRegistry.class})
public class HoldfastMetricsAutoConfiguration {

    /** Meters, unless the application has its own, with the tags that it wants. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    @ConditionalOnMissingBean(HoldfastMetrics.class)
    @ConditionalOnProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
    static class Meters {

        @Bean
        HoldfastMetrics holdfastMetrics() {
            return HoldfastMetrics.builder().build();
        }

        /**
         * Binds them when all singletons are there, as Boot does. The client may be needed by the first beans, and a registry that was
         * made for it then would miss the application's filters.
         */
        @Bean
        SmartInitializingSingleton holdfastMetricsBinding(
                HoldfastMetrics metrics, ObjectProvider<MeterRegistry> registries) {
            return () -> metrics.bindTo(registries.getObject());
        }
    }

    /** Observations. Boot makes timers of them too, beside the meters above; so they have to be asked for. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnMissingBean(HoldfastObservations.class)
    @ConditionalOnProperty("holdfast.observations.enabled")
    static class Observations {

        @Bean
        HoldfastObservations holdfastObservations(ObservationRegistry registry) {
            return new HoldfastObservations(registry);
        }
    }
}
