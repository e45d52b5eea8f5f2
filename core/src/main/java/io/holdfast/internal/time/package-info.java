/**
 * Time and turns: the {@link io.holdfast.internal.time.Strand strand} on which steps run one at a time, the {@link
 * io.holdfast.internal.time.Timers timers} of one client, the clock, and how long a lease lasts. Uses no other package but
 * the constants, and knows neither stores nor locks.
 */
@NullMarked
package io.holdfast.internal.time;

import org.jspecify.annotations.NullMarked;
