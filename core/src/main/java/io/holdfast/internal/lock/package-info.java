/**
 * The objects that callers lock with: they check arguments, park threads, and chain futures. Begin with {@link
 * io.holdfast.internal.lock.LockFactory}, which makes them, and {@code LockFace}, which all locks extend. They keep no state
 * but what they found last; a request goes to {@code Engine.ask}.
 */
@NullMarked
package io.holdfast.internal.lock;

import org.jspecify.annotations.NullMarked;
