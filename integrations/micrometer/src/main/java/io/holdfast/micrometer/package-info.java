/** Meters and observations of locks, for Micrometer: {@link io.holdfast.micrometer.HoldfastMetrics} and {@link io.holdfast.micrometer.HoldfastObservations}. */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
