/** The engine against a simulated store in simulated time. */
@NullMarked
package io.holdfast.simulation;

import org.jspecify.annotations.NullMarked;
