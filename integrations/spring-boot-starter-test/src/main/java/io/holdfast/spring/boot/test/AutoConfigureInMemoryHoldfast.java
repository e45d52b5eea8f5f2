package io.holdfast.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * On a test class: the locks of its context are in memory, whatever {@code holdfast.*} says. For {@code @SpringBootTest} and other tests
 * that configure the whole application; {@link HoldfastTest} has it already.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@PropertyMapping("holdfast")
public @interface AutoConfigureInMemoryHoldfast {

    /** {@code memory:}, a store of this context's own, or {@code memory:name}, one that contexts of the JVM share. */
    String uri() default "memory:";
}
