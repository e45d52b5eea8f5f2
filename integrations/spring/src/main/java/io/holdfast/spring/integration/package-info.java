/** Holdfast as the lock registry of Spring Integration: {@link io.holdfast.spring.integration.HoldfastLockRegistry}. */
@NullMarked
package io.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
