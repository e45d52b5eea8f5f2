package io.holdfast.spi;

/** Hears what a store calls out to one client. Its methods are quick. */
@FunctionalInterface
public interface ClaimListener {

    /** The claim is called; see {@link LockStore#listen}. */
    void called(String claimId);

    /**
     * The claim was granted while it waited, by the release of another. It has its lease as if it had been granted by the
     * command that last kept its place, for {@link Claim#TICKET} or the lease it asked for, whichever is shorter; see
     * {@link Claim#grantOnRelease}.
     *
     * @param ticket the number of the place that it had; one that is not its last answer's is of an earlier place, and means nothing
     */
    default void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        called(claimId);
    }
}
