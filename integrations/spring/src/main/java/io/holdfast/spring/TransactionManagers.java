package io.holdfast.spring;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Adds {@link LockTransactionListener} to every transaction manager of the context that has none yet. */
final class TransactionManagers implements BeanPostProcessor {

    private final LockTransactionListener listener = new LockTransactionListener();

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager
                && manager.getTransactionExecutionListeners().stream()
                        .noneMatch(LockTransactionListener.class::isInstance)) {
            manager.addListener(listener);
        }
        return bean;
    }
}
