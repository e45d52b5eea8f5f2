package io.holdfast;

/** The {@link Holdfast} client was closed before or during the call. */
public final class ClientClosedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public ClientClosedException(String message) {
        super(message, false);
    }
}
