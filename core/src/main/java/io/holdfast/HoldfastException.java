package io.holdfast;

/**
 * The root of all that Holdfast throws on its own account. Each of them comes to the same for the caller: the lock
 * that was asked for, or was thought to be held, is not owned. That is why the root is an
 * {@link IllegalMonitorStateException}: code that catches what {@link java.util.concurrent.locks.Lock#unlock()} throws
 * elsewhere goes on working, and {@link LeaseLostException} can be both.
 */
public class HoldfastException extends IllegalMonitorStateException {

    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    public HoldfastException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    public HoldfastException(String message, boolean retryable, Throwable cause) {
        super(message);
        initCause(cause);
        this.retryable = retryable;
    }

    /** Whether the same call may succeed later without anybody changing anything but the weather. */
    public boolean retryable() {
        return retryable;
    }
}
