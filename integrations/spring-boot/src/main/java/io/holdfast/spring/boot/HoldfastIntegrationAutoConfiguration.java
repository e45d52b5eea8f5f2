package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.spring.integration.HoldfastLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** A lock registry for Spring Integration, unless the application has one. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LockRegistry.class, HoldfastLockRegistry.class})
@ConditionalOnSingleCandidate(Holdfast.class)
@EnableConfigurationProperties(HoldfastProperties.class)
public class HoldfastIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    HoldfastLockRegistry holdfastLockRegistry(Holdfast holdfast, HoldfastProperties properties) {
        return new HoldfastLockRegistry(holdfast, properties.getRegistry().getPrefix());
    }
}
