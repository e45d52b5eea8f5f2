package io.holdfast.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that runs in {@link SimulatedTime} on a store that has that, and in real time on every other store. Its own thread never
 * blocks for something that takes time: it waits for a condition, awaits a future, or has another thread wait.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Simulated {}
