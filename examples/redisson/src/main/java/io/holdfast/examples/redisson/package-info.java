/** A program on Redisson, and the same program on Holdfast. */
@NullMarked
package io.holdfast.examples.redisson;

import org.jspecify.annotations.NullMarked;
