/** Locks kept in a Hazelcast cluster. */
@NullMarked
package io.holdfast.hazelcast;

import org.jspecify.annotations.NullMarked;
