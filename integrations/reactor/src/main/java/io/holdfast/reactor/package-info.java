/**
 * Locks, semaphores and elections for Reactor: {@link io.holdfast.reactor.ReactiveLock}, {@link
 * io.holdfast.reactor.ReactiveSemaphore}, {@link io.holdfast.reactor.ReactiveElection}.
 *
 * <p>An application that runs BlockHound allows {@code io.holdfast.internal.engine.SystemNonces.next}, which reads {@code /dev/urandom}
 * and never waits, and the critical sections of the engine, a few instructions each: {@code io.holdfast.internal.time.Timers.arm} and
 * {@code cancel}.
 */
@NullMarked
package io.holdfast.reactor;

import org.jspecify.annotations.NullMarked;
