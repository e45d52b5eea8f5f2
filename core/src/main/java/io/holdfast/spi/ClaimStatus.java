package io.holdfast.spi;

/** How a claim that the store still has stands. */
public enum ClaimStatus {
    /** It is held. */
    HELD,
    /** It has its ticket in the queue, and other claims come first. */
    WAITING,
    /** It has its ticket in the queue, and would be granted if it were sent now; or it asks for more permits than there are. */
    TURN_REACHED,
    /**
     * The store can't say: not enough of its servers did, or another command is in the way. As if there had been no answer for
     * this claim.
     */
    UNKNOWN
}
