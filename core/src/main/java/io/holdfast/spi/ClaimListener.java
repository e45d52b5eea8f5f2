package io.holdfast.spi;

/**
 * Receives what a store tells one client about its claims. Notifications are hints, one of which may be missing, late or for nothing:
 * what counts is what the store answers to the next command. The methods are quick and don't block.
 */
public interface ClaimListener {

    /** The queued claim would be granted if it were sent now, or asks for more permits than there are. */
    void turnReached(String claimId);

    /** Another claim was not granted because of this one, which holds and is {@linkplain ClaimOptions#revocable revocable}. */
    void revocationRequested(String claimId);

    /**
     * The queued claim was granted by the release of another. It has its lease as if it had been granted by the
     * command that last kept its ticket, for {@link Claim#TICKET} or the lease it asked for, whichever is shorter; see
     * {@link ClaimOptions#grantOnRelease}.
     *
     * @param ticket the number of the ticket that it had. If that is not the one of its last answer, the grant was for an earlier
     *     ticket, and means nothing
     */
    void granted(String claimId, long ticket, ClaimResult.Granted grant);

    /**
     * Notifications arrive from now on, for the first time or again after a gap: any queued claim of the client may have been notified
     * before that, unheard.
     */
    void resync();
}
