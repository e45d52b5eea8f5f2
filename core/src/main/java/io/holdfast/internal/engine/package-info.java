/**
 * One client: {@link io.holdfast.internal.engine.Engine} has the registry of queues, the life cycle, and what it hands to the packages
 * below; {@link io.holdfast.internal.engine.Client} has the threads and the clock. Here is also what makes ids unique, and {@link
 * io.holdfast.internal.engine.EngineProbe}, through which verification looks inside. Uses all packages but {@code lock}.
 */
@NullMarked
package io.holdfast.internal.engine;

import org.jspecify.annotations.NullMarked;
