package io.holdfast.internal.store;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Messages;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** How a failure is told within another one: each thing is said once. */
final class Failures {

    private Failures() {}

    /** What the failure says, without the label that the message around it begins with. */
    static String reason(String label, Throwable failure) {
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
}
