/** Distributed locks on the store that you already run. Start with {@link io.holdfast.Holdfast}. */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
