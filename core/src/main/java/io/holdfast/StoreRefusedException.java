package io.holdfast;

/**
 * The store answered, and the answer is no: a missing permission, a read-only or full server, a key that is not a lock.
 * The message names the lock, the store and what to do.
 */
public final class StoreRefusedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StoreRefusedException(String message, boolean retryable) {
        super(message, retryable);
    }

    public StoreRefusedException(String message, boolean retryable, Throwable cause) {
        super(message, retryable, cause);
    }
}
