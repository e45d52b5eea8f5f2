package io.holdfast.simulation;

/** What the store has seen of one claim: what its client may be blamed for, and what it is excused from. */
final class ClaimHistory {

    private static final long NEVER = Long.MAX_VALUE;

    private long takenAt = NEVER;
    private boolean releaseSent;
    private boolean releasedForGood;
    private boolean notFound;
    private boolean beyondHelp;

    /** Somebody ended it by force, or a restart did: its holder can't have known at once. */
    void taken(long now) {
        takenAt = now;
    }

    /**
     * Whether that has happened at any time. It may have been granted anew since; but a holder from before, or an answer
     * that was on its way meanwhile, still goes by the older grant.
     */
    boolean isTaken() {
        return takenAt != NEVER;
    }

    long takenAt() {
        return takenAt;
    }

    /** The client asks for its release. */
    void releaseSent() {
        releaseSent = true;
    }

    /** A command that gives the claim life has run at the store. */
    void revived(Run run, boolean anew, boolean renewal) {
        boolean unheard = !run.answered() && (releaseSent || (anew && run.repeated()));
        if (unheard || (releaseSent && renewal)) {
            givenUp();
        }
    }

    void released(Run run, boolean held) {
        releasedForGood |= held;
        // The second run of one command finds nothing, and its client can't tell that from a loss.
        notFound |= !held && (run.repeated() || !releasedForGood);
    }

    /** Whether a client that was told by the store that it did not have the claim was told the truth as it stood. */
    boolean isNotFound() {
        return notFound;
    }

    /** A renewal has not found it. */
    void missed() {
        notFound = true;
    }

    /**
     * It was granted or prolonged in a way of which its client can't know, or the store refuses to take it back: then it
     * ends by its lease, and that is all that anybody can ask.
     */
    void givenUp() {
        beyondHelp = true;
    }

    boolean isBeyondHelp() {
        return beyondHelp;
    }
}
