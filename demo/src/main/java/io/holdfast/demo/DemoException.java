package io.holdfast.demo;

/** The demo can't go on; the message says why, for the user. */
final class DemoException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }
}
