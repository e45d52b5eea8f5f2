/** The engine. Not exported: nothing here is API. ARCHITECTURE.md follows one {@code lock()} through it. */
@NullMarked
package io.holdfast.internal;

import org.jspecify.annotations.NullMarked;
