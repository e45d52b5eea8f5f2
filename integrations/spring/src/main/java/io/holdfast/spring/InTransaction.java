package io.holdfast.spring;

/** What happens when a lock is asked for in a transaction that has already begun. */
public enum InTransaction {
    /**
     * The lock is taken, and held until the transaction has completed, since the next holder would not see what is not committed
     * yet. The transaction may have read its snapshot before it had the lock; that is logged once for each lock.
     */
    HOLD,
    /** {@link IllegalStateException}: begin the transaction under the lock instead. */
    REFUSE
}
