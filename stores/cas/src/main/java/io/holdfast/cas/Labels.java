package io.holdfast.cas;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts before each failure what the command was about. */
final class Labels {

    private Labels() {}

    static <T> CompletionStage<T> labelled(Supplier<String> label, CompletionStage<T> stage) {
        return stage.exceptionallyCompose(
                failure -> CompletableFuture.failedStage(of(label.get(), Kernel.cause(failure))));
    }

    private static Throwable of(String label, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.startsWith(label)) {
            return failure;
        }
        @Nullable Throwable cause = failure.getCause();
        HoldfastException copy;
        if (failure instanceof StoreUnavailableException) {
            copy = new StoreUnavailableException(label + ": " + message);
        } else if (failure instanceof StoreRefusedException refused) {
            copy = new StoreRefusedException(label + ": " + message, refused.retryable());
        } else {
            return failure;
        }
        copy.setStackTrace(failure.getStackTrace());
        if (cause != null) {
            copy.initCause(cause);
        }
        return copy;
    }
}
