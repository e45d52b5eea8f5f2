/** A program that shows what the meters of locks say. */
@NullMarked
package io.holdfast.examples.metrics;

import org.jspecify.annotations.NullMarked;
