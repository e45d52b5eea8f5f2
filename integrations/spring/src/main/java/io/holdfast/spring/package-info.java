/**
 * Holdfast in a Spring application: {@link io.holdfast.spring.WithLock} on a method, {@link io.holdfast.spring.LockTemplate} in
 * code, and transactions that a lock encloses.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
