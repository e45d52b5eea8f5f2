/** The store that keeps its claims in this JVM. */
@NullMarked
package io.holdfast.internal.memory;

import org.jspecify.annotations.NullMarked;
