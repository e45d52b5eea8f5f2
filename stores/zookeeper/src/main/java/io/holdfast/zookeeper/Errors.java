package io.holdfast.zookeeper;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Turns what ZooKeeper says into what Holdfast throws. Where the connection or the session is the trouble, it is not known
 * whether the command ran; everything else is a refusal.
 */
final class Errors {

    private final String store;
    private final @Nullable Probe probe;

    /**
     * @param store the store's description, for messages
     * @param probe says why there is no connection, where the addresses are known
     */
    Errors(String store, @Nullable Probe probe) {
        this.store = store;
        this.probe = probe;
    }

    /** The code that a failure comes down to; {@code null} if it is not one of ZooKeeper's. */
    static @Nullable Code code(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof KeeperException keeper) {
                return keeper.code();
            }
        }
        return null;
    }

    /** Whether the failure is what the server said; otherwise the command may still run, however late. */
    static boolean isAnswer(Throwable failure) {
        Code code = code(failure);
        return code != null
                && switch (code) {
                    case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT -> false;
                    default -> true;
                };
    }

    /**
     * Goes on where a failure was to be expected.
     *
     * @param next what to do about a code, or {@code null} if that is a failure after all
     */
    static <T> CompletableFuture<T> unless(
            CompletableFuture<T> future, Function<Code, @Nullable CompletableFuture<T>> next) {
        return future.exceptionallyCompose(failure -> {
            Code code = code(failure);
            CompletableFuture<T> instead = code == null ? null : next.apply(code);
            return instead == null ? CompletableFuture.failedFuture(failure) : instead;
        });
    }

    /** The future with its failures in Holdfast's words. */
    <T> CompletableFuture<T> told(Supplier<String> what, CompletableFuture<T> future) {
        CompletableFuture<T> told = new CompletableFuture<>();
        future.whenComplete((value, failure) -> {
            if (failure == null) {
                told.complete(value);
            } else if (probe != null && code(failure) == Code.CONNECTIONLOSS) {
                probe.reason().thenAccept(reason -> told.completeExceptionally(broken(what.get(), failure, reason)));
            } else {
                told.completeExceptionally(translate(what.get(), failure));
            }
        });
        return told;
    }

    private Throwable broken(String what, Throwable failure, @Nullable IOException reason) {
        return reason == null
                ? translate(what, failure)
                : unavailable(what, String.valueOf(reason.getMessage()), reason);
    }

    /** @param what what was asked for, to begin the message with: the lock's name in most cases */
    Throwable translate(String what, Throwable failure) {
        Throwable thrown =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (thrown instanceof HoldfastException) {
            return thrown;
        }
        Code code = code(thrown);
        if (code == null) {
            return thrown;
        }
        return switch (code) {
            case CONNECTIONLOSS -> unavailable(what, "the connection broke or can't be made", thrown);
            case SESSIONEXPIRED, SESSIONMOVED ->
                unavailable(what, "its session has ended; the next command begins another", thrown);
            case OPERATIONTIMEOUT, REQUESTTIMEOUT -> unavailable(what, "no answer in time", thrown);
            case NOAUTH ->
                refused(
                        what,
                        code,
                        "The client may not use these nodes: check the user and the password in the URI, and the"
                                + " nodes' access lists",
                        false,
                        thrown);
            case AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH ->
                refused(what, code, "Check the user and the password", false, thrown);
            case INVALIDACL ->
                refused(what, code, "The access list that new nodes are to have is not one", false, thrown);
            case QUOTAEXCEEDED -> refused(what, code, "Raise the quota of the locks' nodes", true, thrown);
            case NOTREADONLY ->
                refused(what, code, "The server is read-only until it has found its ensemble again", true, thrown);
            case THROTTLEDOP -> refused(what, code, "The server has too much to do", true, thrown);
            case UNIMPLEMENTED -> refused(what, code, "Holdfast needs ZooKeeper 3.6 or later", false, thrown);
            default -> refused(what, code, "Holdfast does not know this answer", false, thrown);
        };
    }

    /** Other clients changed the name, again and again, between the listing and the write. */
    StoreUnavailableException crowded(String what) {
        return new StoreUnavailableException(
                what + ": on " + store + " others were faster each time; it may be tried again");
    }

    StoreUnavailableException closed(String what) {
        return new StoreUnavailableException(what + ": " + store + " was closed by this client");
    }

    private StoreUnavailableException unavailable(String what, String why, Throwable cause) {
        return new StoreUnavailableException(what + ": " + store + " did not answer: " + why, cause);
    }

    private StoreRefusedException refused(String what, Code code, String advice, boolean retryable, Throwable cause) {
        return new StoreRefusedException(
                what + " was refused by " + store + ": " + code + ". " + advice + ".", retryable, cause);
    }
}
