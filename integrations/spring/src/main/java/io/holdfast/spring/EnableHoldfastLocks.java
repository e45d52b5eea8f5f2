package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Makes {@link WithLock} work, on a configuration class. It needs a bean of type {@link io.holdfast.Holdfast}:
 *
 * <pre>{@code
 * @Configuration
 * @EnableHoldfastLocks
 * class Locks {
 *     @Bean
 *     Holdfast holdfast() {
 *         return Holdfast.connect("redis://127.0.0.1:6379");
 *     }
 * }
 * }</pre>
 *
 * <p>It also gives a {@link LockTemplate} where the application defines none, and adds {@link LockTransactionListener} to
 * the transaction managers of the context.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import({HoldfastLocksRegistrar.class, HoldfastLocksConfiguration.class})
public @interface EnableHoldfastLocks {

    /**
     * Where in the chain of interceptors the lock is taken: before transactions, whose order is
     * {@link Ordered#LOWEST_PRECEDENCE}, and after retries. The start fails if the transaction of a method would begin before
     * its lock.
     */
    int order() default ORDER;

    /** Whether beans get proxies of their class, also where they implement interfaces. Concerns all proxies of the context. */
    boolean proxyTargetClass() default false;

    /** What happens to a lock that is asked for in a transaction that has already begun. */
    InTransaction inTransaction() default InTransaction.HOLD;

    /** The default of {@link #order()}: right before transactions. */
    int ORDER = Ordered.LOWEST_PRECEDENCE - 1;
}
