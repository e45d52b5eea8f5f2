/** What is told of the life of locks and of store commands, and to whom. It knows no engine: what happens comes as plain values. */
@NullMarked
package io.holdfast.internal.event;

import org.jspecify.annotations.NullMarked;
