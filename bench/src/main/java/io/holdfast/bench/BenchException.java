package io.holdfast.bench;

/** The bench can't go on; the message is for the user. */
public final class BenchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
