package io.holdfast.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * On a test class: a context with locks in memory, {@code @WithLock} and nothing else. Of the application's own components it has those that
 * the test imports or includes.
 *
 * <pre>{@code
 * @HoldfastTest
 * @Import(Orders.class)
 * class OrdersTest {
 *     @Autowired Orders orders;
 *     @Autowired Holdfast holdfast;
 * }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@BootstrapWith(HoldfastTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(HoldfastTypeExcludeFilter.class)
@AutoConfigureInMemoryHoldfast
@ImportAutoConfiguration
public @interface HoldfastTest {

    /** Properties of the test, {@code key=value}. */
    String[] properties() default {};

    /** Whether only what is included is scanned. */
    boolean useDefaultFilters() default true;

    /** Components of the application to have as well. */
    Filter[] includeFilters() default {};

    /** Components of the application not to have. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations not to have. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
