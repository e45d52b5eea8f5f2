/**
 * The local queue of one name: its {@link io.holdfast.internal.queue.Waiters waiters}, whose turn it is, how far the lock
 * passes between them ({@link io.holdfast.internal.queue.HandOffPolicy}), the {@link io.holdfast.internal.queue.KeptClaim
 * kept claim}, and the {@link io.holdfast.internal.queue.QueuedClaim claims of single callers}. Uses {@code claim} and what is below. Begin
 * with {@link io.holdfast.internal.queue.LockQueue} and its base, {@code PlainQueue}.
 */
@NullMarked
package io.holdfast.internal.queue;

import org.jspecify.annotations.NullMarked;
