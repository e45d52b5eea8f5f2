/**
 * How the engine reaches its store, and how answers reach callers: {@link io.holdfast.internal.store.StoreCalls single
 * commands}, {@link io.holdfast.internal.store.RetryingCommand commands that are repeated until they are answered}, watches,
 * the health of the store and what the log says of it, and what failures say. Knows names and commands, and nothing of
 * claims and their holders. Uses {@code time}. Begin with {@link io.holdfast.internal.store.StoreContext}.
 */
@NullMarked
package io.holdfast.internal.store;

import org.jspecify.annotations.NullMarked;
