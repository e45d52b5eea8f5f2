/**
 * What every store passes, in three suites: {@link io.holdfast.tck.StoreSpecification} for the store alone, {@link
 * io.holdfast.tck.StoreIntegration} for the engine on it, and {@link io.holdfast.tck.ApiMatrix} for the whole API. A store's
 * module binds them to its store with a {@link io.holdfast.tck.StoreBinding}; {@link io.holdfast.tck.OutageContract} is for
 * stores with a server that can be stopped.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
