package io.holdfast;

import io.holdfast.spi.Messages;

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
        super(oneLine(message));
        this.retryable = retryable;
    }

    public HoldfastException(String message, boolean retryable, Throwable cause) {
        super(oneLine(message));
        initCause(cause);
        this.retryable = retryable;
    }

    // What a server says may have several.
    private static String oneLine(String message) {
        return Messages.line(message.replaceAll("\\s*[\\r\\n]\\s*", " "));
    }

    /** Whether the same call may succeed later without anybody changing anything but the weather. */
    public boolean retryable() {
        return retryable;
    }
}
