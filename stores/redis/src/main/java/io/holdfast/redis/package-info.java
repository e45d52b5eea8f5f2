/** Locks kept in Redis. */
@NullMarked
package io.holdfast.redis;

import org.jspecify.annotations.NullMarked;
