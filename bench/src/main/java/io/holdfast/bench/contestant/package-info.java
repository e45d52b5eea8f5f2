/** The libraries that are measured, each behind the same few methods. */
@NullMarked
package io.holdfast.bench.contestant;

import org.jspecify.annotations.NullMarked;
