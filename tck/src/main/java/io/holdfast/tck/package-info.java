/**
 * The contract that every store passes. A store's module extends {@link io.holdfast.tck.StoreSuite} and says where its
 * store is; {@link io.holdfast.tck.OutageContract} is for stores with a server that can be stopped.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
