/** The contract that every store passes. */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
