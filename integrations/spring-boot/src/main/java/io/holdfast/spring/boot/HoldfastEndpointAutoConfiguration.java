package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code holdfast}. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSingleCandidate(Holdfast.class)
@ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
public class HoldfastEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    HoldfastEndpoint holdfastEndpoint(Holdfast holdfast) {
        return new HoldfastEndpoint(holdfast);
    }
}
