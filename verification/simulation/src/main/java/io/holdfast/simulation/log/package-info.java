/** Where the engine's log goes in a simulation: what it calls an error is a finding, the rest is nobody's business. */
@NullMarked
package io.holdfast.simulation.log;

import org.jspecify.annotations.NullMarked;
