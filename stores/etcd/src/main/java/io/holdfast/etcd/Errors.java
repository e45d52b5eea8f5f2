package io.holdfast.etcd;

import io.grpc.Status;
import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Messages;
import java.util.concurrent.CompletionException;

/** What the answers of etcd and of gRPC mean, and what to do about them. */
record Errors(String description) {

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Whether another member may do better. */
    static boolean isOfMember(Throwable failure) {
        return switch (Status.fromThrowable(failure).getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN -> true;
            default -> false;
        };
    }

    /** Whether the call was refused for its token, which may have expired. */
    static boolean isUnauthenticated(Throwable failure) {
        Status status = Status.fromThrowable(failure);
        String text = text(status);
        return status.getCode() == Status.Code.UNAUTHENTICATED
                || text.contains("invalid auth token")
                || text.contains("revision of auth store is old");
    }

    private static String text(Status status) {
        String text = status.getDescription();
        Throwable cause = status.getCause();
        String reason = cause == null ? null : cause.getMessage();
        if (reason != null && (text == null || text.equals("io exception"))) {
            return Messages.line(reason); // gRPC says no more than that it was I/O
        }
        return text == null ? status.getCode().toString() : Messages.line(text);
    }

    HoldfastException translate(Throwable thrown) {
        if (thrown instanceof HoldfastException known) {
            return known;
        }
        Status status = Status.fromThrowable(thrown);
        Throwable reason = status.getCause();
        Throwable failure = reason == null ? thrown : reason; // what gRPC wraps around it says nothing new
        String text = text(status);
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED ->
                text.contains("space exceeded")
                        ? refused(
                                text,
                                "Its quota is used up (NOSPACE): compact its history, defragment its members and"
                                        + " disarm the alarm, and have it compact by itself"
                                        + " (--auto-compaction-retention)",
                                true,
                                failure)
                        : refused(text, "It has more requests than it takes: send fewer", true, failure);
            case PERMISSION_DENIED ->
                refused(
                        text,
                        "The user needs a role that may read and write the prefix of the URI's path (readwrite --prefix)",
                        false,
                        failure);
            case UNAUTHENTICATED -> refused(text, "Check the user and the password of the URI", false, failure);
            case INVALID_ARGUMENT -> invalid(text, failure);
            case FAILED_PRECONDITION ->
                refused(
                        text,
                        text.contains("authentication is not enabled")
                                ? "Leave the user and the password out of the URI, or enable authentication"
                                : "See what it says",
                        false,
                        failure);
            case UNIMPLEMENTED -> refused(text, "It has to be an etcd of version 3", false, failure);
            case DEADLINE_EXCEEDED ->
                new StoreUnavailableException(description + " did not answer in time (" + text + ")", failure);
            default ->
                new StoreUnavailableException(
                        description + " is not available: " + text
                                + (text.contains("no leader")
                                        ? ". Its members have no leader: a majority has to be up and to reach each other"
                                        : ""),
                        failure);
        };
    }

    private HoldfastException invalid(String text, Throwable failure) {
        if (text.contains("user name is empty") || text.contains("authentication failed")) {
            return refused(text, "Check the user and the password of the URI", false, failure);
        }
        if (text.contains("too large")) {
            return refused(
                    text,
                    "A name has more claims than a request may carry: raise --max-request-bytes, or share the"
                            + " claims among more names",
                    true,
                    failure);
        }
        return refused(text, "See what it says", false, failure);
    }

    private StoreRefusedException refused(String text, String what, boolean retryable, Throwable failure) {
        return new StoreRefusedException(description + " refused: " + text + ". " + what, retryable, failure);
    }
}
