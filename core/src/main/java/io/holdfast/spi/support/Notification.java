package io.holdfast.spi.support;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;

/** What the store tells the client of a claim, once the update that caused it is written. */
public sealed interface Notification {

    /** The claim that the notification is about. Its id says which client to notify. */
    Claim claim();

    /** The queued claim would be granted if its client sent it now, or it asks for more permits than there are. */
    record TurnReached(Claim claim) implements Notification {}

    /** Another claim was not granted because of this one, which holds and is revocable. */
    record RevocationRequested(Claim claim) implements Notification {}

    /**
     * The queued claim was granted by the release of another.
     *
     * @param ticket the number of the ticket that it had
     */
    record GrantedOnRelease(Claim claim, long ticket, ClaimResult.Granted grant) implements Notification {}
}
