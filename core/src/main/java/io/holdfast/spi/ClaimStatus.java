package io.holdfast.spi;

/** How a claim that the store still has stands. */
public enum ClaimStatus {
    /** It is held. */
    HELD,
    /** It has its place in the queue, and others come first. */
    WAITING,
    /** It has its place in the queue, and would be granted if it asked now; or it asks for more permits than there are. */
    TURN_REACHED,
    /**
     * The store can't say: not enough of its servers did, or somebody is in the way. As if there had been no answer for
     * this claim.
     */
    UNKNOWN
}
