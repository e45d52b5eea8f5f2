package io.holdfast.internal.store;

import io.holdfast.HoldfastException;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Timer;
import io.holdfast.internal.time.Timers;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the parts of one client use to reach its store: the clock, the timers, and commands with their time-outs. */
public interface StoreContext {

    /** The monotonic clock. */
    long now();

    Timers timers();

    LockStore store();

    Capabilities capabilities();

    StoreCalls storeCalls();

    RetryingCommands commands();

    StoreHealth health();

    OutageLog outages();

    Watches watches();

    /** How long a caller goes on trying a store that does not answer. */
    long timeoutNanos();

    /** True if the client takes nothing new, for good or while it is paused. */
    boolean isClosed();

    /** Why it takes nothing new. */
    HoldfastException closedException();

    /** The lock may have become free, or the latch may have changed. */
    void changed(Resource resource);

    /** A third of the time-out, so that a lost answer leaves time to send the command again. */
    default long replyTimeoutNanos() {
        return Math.max(1, timeoutNanos() / 3);
    }

    default long backoffNanos(int failures) {
        return Math.min(
                Tuning.FIRST_BACKOFF_NANOS << Math.min(failures - 1, Tuning.BACKOFF_DOUBLINGS), replyTimeoutNanos());
    }

    /** See {@link StoreCalls#call}. */
    default <T> void call(
            Command kind,
            @Nullable String name,
            int number,
            Supplier<CompletionStage<T>> command,
            BiConsumer<@Nullable T, @Nullable Throwable> answered) {
        storeCalls().call(kind, name, number, command, answered);
    }

    /** See {@link StoreCalls#callInTime}. */
    default <T> CompletableFuture<T> callInTime(
            Command kind, @Nullable String name, String what, Supplier<CompletionStage<T>> command) {
        return storeCalls().callInTime(kind, name, what, command);
    }

    /** See {@link StoreCalls#noAnswer}. */
    default StoreUnavailableException noAnswer(String what, long nanos) {
        return storeCalls().noAnswer(what, nanos);
    }

    /** The failure for a caller whose claim could not be sent in time. */
    default Throwable notAskedFor(ResourceType type, String name, Throwable failure) {
        if (!(failure instanceof StoreUnavailableException)) {
            return failure;
        }
        String label = Messages.label(type, name);
        return Failures.unavailable(
                label + " could not be asked for in "
                        + Duration.ofNanos(timeoutNanos()).toMillis() + " ms: " + Failures.reason(label, failure),
                failure);
    }

    /** Runs an action when a release is known to the store, or at that time if it is not known by then. */
    default void whenKnown(CompletableFuture<?> release, long until, Runnable action) {
        if (release.isDone() || now() - until >= 0) {
            action.run();
            return;
        }
        Timer patience = new Timer(action);
        timers().arm(patience, until);
        release.whenComplete((known, failure) -> {
            timers().cancel(patience);
            action.run();
        });
    }
}
