/**
 * What a store implements. A store keeps claims and says which of them are granted; everything else (waiting,
 * re-entry, renewal, loss, cleaning up) is the engine's and is written once for all of them. Start with
 * {@link io.holdfast.spi.LockStore}.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
