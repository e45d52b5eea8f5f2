/** Holdfast beside the libraries that people use instead: {@code ./holdfast bench}. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
