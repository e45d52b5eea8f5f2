package io.holdfast.simulation;

/** What the store has seen of one claim: what it may be blamed for, and what it is excused from. */
final class ClaimHistory {

    /** Somebody ended it by force, or a restart did: its holder can't have known at once. */
    boolean taken;

    /** The client has asked for its release, at least once. */
    boolean releaseSent;

    /** A release ran and did not find it. */
    boolean releasedInVain;

    /**
     * It was granted or prolonged in a way of which its client can't know, or may not give it back: then it ends by its
     * lease, and that is all that anybody can ask.
     */
    boolean beyondHelp;

    /** A command that gives the claim life has run at the store. */
    void revived(Run run, boolean anew, boolean renewal) {
        boolean unheard = !run.answered() && (releaseSent || (anew && run.repeated()));
        if (unheard || (releaseSent && renewal)) {
            beyondHelp = true;
        }
    }
}
