package io.holdfast.internal.claim;

/** What becomes of an acquisition whose claim was not granted, as its acquirer decides. */
public enum Decision {
    /** It waits for a change, its turn, or its next try. */
    WAIT,
    /** It asks again at once. */
    RETRY,
    /** No caller wants the claim any more. */
    STOP,
    /** It stops, and the asker asks with a claim on other terms. */
    REPLACE,
    /** It stops, and the asker asks with a claim that takes a place in the store's queue. */
    ENQUEUE
}
