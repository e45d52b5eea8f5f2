package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.spring.EnableHoldfastLocks;
import io.holdfast.spring.InTransaction;
import io.holdfast.spring.LockDefaults;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** {@link EnableHoldfastLocks}, unless the application says it itself. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(EnableHoldfastLocks.class)
@ConditionalOnBean(Holdfast.class)
@Conditional(HoldfastLocksAutoConfiguration.NotEnabled.class)
@EnableConfigurationProperties(HoldfastProperties.class)
@EnableHoldfastLocks
public class HoldfastLocksAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockDefaults holdfastLockDefaults(HoldfastProperties properties) {
        HoldfastProperties.Locks locks = properties.getLocks();
        return new LockDefaults(
                locks.getWaitAtMost(),
                InTransaction.valueOf(locks.getInTransaction().name()));
    }

    /**
     * The attributes of the annotation are read when classes are parsed, where the last one wins. So it has to be known then whether the
     * application has one.
     */
    static final class NotEnabled implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.PARSE_CONFIGURATION;
        }

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            if (beans == null) {
                return true;
            }
            for (String name : beans.getBeanDefinitionNames()) {
                if (beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition
                        && definition.getMetadata().isAnnotated(EnableHoldfastLocks.class.getName())
                        && !HoldfastLocksAutoConfiguration.class.getName().equals(definition.getBeanClassName())) {
                    return false;
                }
            }
            return true;
        }
    }
}
