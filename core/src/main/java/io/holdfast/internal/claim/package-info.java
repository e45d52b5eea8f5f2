/**
 * One claim at the store, from the first command to the release: {@link io.holdfast.internal.claim.Acquisition} gets it,
 * {@link io.holdfast.internal.claim.TicketWait} waits for its turn, {@link io.holdfast.internal.claim.ActiveClaim} is the
 * granted claim and {@link io.holdfast.internal.claim.Hold} one owner's share of it, {@link
 * io.holdfast.internal.claim.Watchdog} and {@link io.holdfast.internal.claim.RenewalBatches} keep it, and {@link
 * io.holdfast.internal.claim.Releaser} gives it back. Whose the claim is stands behind two interfaces, {@link
 * io.holdfast.internal.claim.Acquirer} and {@link io.holdfast.internal.claim.Holder}. Uses {@code store} and {@code time}. Begin with {@code
 * Acquisition}.
 */
@NullMarked
package io.holdfast.internal.claim;

import org.jspecify.annotations.NullMarked;
