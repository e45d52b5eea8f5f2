package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.ImportAware;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** The beans of {@link EnableHoldfastLocks}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class HoldfastLocksConfiguration implements ImportAware {

    private int order = EnableHoldfastLocks.ORDER;
    private InTransaction inTransaction = InTransaction.HOLD;

    @Override
    public void setImportMetadata(AnnotationMetadata importing) {
        Map<String, Object> attributes = importing.getAnnotationAttributes(EnableHoldfastLocks.class.getName());
        if (attributes != null) {
            order = (Integer) Objects.requireNonNull(attributes.get("order"));
            inTransaction = (InTransaction) Objects.requireNonNull(attributes.get("inTransaction"));
        }
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    Definitions holdfastLockDefinitions(ConfigurableListableBeanFactory beans, ObjectProvider<LockDefaults> defaults) {
        return new Definitions(
                text -> {
                    String resolved = beans.resolveEmbeddedValue(text);
                    return resolved == null ? "" : resolved;
                },
                () -> defaults.getIfAvailable(() -> new LockDefaults(null, inTransaction)));
    }

    // The advisor is made before most beans, and must not bring any of the application's with it.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    WithLockAdvisor holdfastLockAdvisor(Definitions definitions, ConfigurableListableBeanFactory beans) {
        return new WithLockAdvisor(new WithLockInterceptor(definitions, new LockClients(beans), beans), order);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static WithLockVerifier holdfastLockVerifier(ConfigurableListableBeanFactory beans) {
        return new WithLockVerifier(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(WithTransactions.class)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class Transactions {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static TransactionManagers holdfastTransactionManagers() {
            return new TransactionManagers();
        }
    }

    /** Whether the application has spring-tx. */
    static final class WithTransactions implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return ClassUtils.isPresent(
                    "org.springframework.transaction.ConfigurableTransactionManager", context.getClassLoader());
        }
    }

    @Bean
    @Fallback
    @Lazy
    LockTemplate holdfastLockTemplate(Holdfast holdfast) {
        return new LockTemplate(holdfast).inTransaction(inTransaction);
    }
}
