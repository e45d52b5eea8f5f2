/**
 * The compare-and-set kernel: locks, semaphores and latches on any service that keeps values and can compare and set them. A
 * service implements {@link io.holdfast.cas.Register}; {@link io.holdfast.cas.CasStore} does the rest.
 */
@NullMarked
package io.holdfast.cas;

import org.jspecify.annotations.NullMarked;
