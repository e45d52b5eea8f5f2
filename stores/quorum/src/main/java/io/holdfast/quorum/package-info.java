/**
 * A store that is made of several: a claim is held when a majority of them hold it. Start with
 * {@link io.holdfast.quorum.QuorumStore}.
 */
@NullMarked
package io.holdfast.quorum;

import org.jspecify.annotations.NullMarked;
