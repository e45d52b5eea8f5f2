package io.holdfast.spring;

import io.holdfast.HoldfastException;

/** The lock was held by another owner for as long as the caller was willing to wait. The body was not run. */
public final class LockBusyException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public LockBusyException(String message) {
        super(message, true);
    }
}
