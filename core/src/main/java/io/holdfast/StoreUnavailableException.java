package io.holdfast;

/** The store could not be reached, or did not answer in time. Whether the command ran is not known. */
public final class StoreUnavailableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message, true);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, true, cause);
    }
}
