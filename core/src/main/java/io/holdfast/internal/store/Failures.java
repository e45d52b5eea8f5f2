package io.holdfast.internal.store;

import io.holdfast.HoldfastException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Messages;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** How a failure is told within another one: each thing is said once. */
public final class Failures {

    private Failures() {}

    /** What the failure says, without the label that the message around it begins with. */
    public static String reason(String label, Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        String said = message.startsWith(label) ? message.substring(label.length()) : message;
        return said.startsWith(": ") ? said.substring(2) : said.strip();
    }

    /** What the innermost cause says. */
    static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return Messages.line(root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage());
    }

    /** What caused it, below the exceptions of this library, whose messages say the same; {@code null} if nothing else did. */
    static @Nullable Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof HoldfastException
                || cause instanceof CompletionException
                || cause instanceof ExecutionException) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** What a stage failed with, without the wrapping of {@link CompletionException}. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** That a message says why the store could not be asked, with what is behind the failure as its cause. */
    public static StoreUnavailableException unavailable(String message, Throwable failure) {
        Throwable cause = cause(failure);
        return cause == null ? new StoreUnavailableException(message) : new StoreUnavailableException(message, cause);
    }
}
