/**
 * The engine. Not exported: nothing here is API. This package has what all others use: {@link
 * io.holdfast.internal.Tuning every bound and time}, and {@link io.holdfast.internal.Limits the limits of arguments}. The
 * others use each other in one direction, in which a request goes down: {@code lock}, {@code engine}, {@code queue} or
 * {@code latch}, {@code claim}, {@code store}, {@code time}; {@code PackageTest} fixes it. What a lower package needs of a higher one is an
 * interface of the lower one that {@code Engine} implements ({@code StoreContext}, {@code ClaimContext}, {@code
 * QueueContext}). ARCHITECTURE.md follows one {@code lock()} through it.
 */
@NullMarked
package io.holdfast.internal;

import org.jspecify.annotations.NullMarked;
