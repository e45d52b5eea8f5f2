/**
 * Latches: one {@link io.holdfast.internal.latch.LatchQueue} for each latch that callers of this client wait for. A latch has
 * no claims, so this uses {@code store} and {@code time} alone.
 */
@NullMarked
package io.holdfast.internal.latch;

import org.jspecify.annotations.NullMarked;
