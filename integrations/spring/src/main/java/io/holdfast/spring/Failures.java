package io.holdfast.spring;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What futures failed with. */
final class Failures {

    private Failures() {}

    /** The failure without the wrapper that a dependent stage adds. */
    static @Nullable Throwable cause(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
