package io.holdfast;

/** Why a lease ended before it was given back. */
public enum LossReason {
    /** Its time is over: it could not be renewed in time, or it was taken for a time and that has passed. */
    EXPIRED,
    /** The store says that it no longer has it: another process forced it, or the store lost or evicted it. */
    GONE,
    /** This client ended it with {@link Holdfast#forceUnlock(String)}, or {@link DistributedLock#forceUnlock()}. */
    FORCED,
    /** The store no longer has it, and has told of a failover or a restart since it was last renewed. */
    FAILED_OVER,
    /** The client was closed, or its process is about to be copied. */
    CLOSED
}
