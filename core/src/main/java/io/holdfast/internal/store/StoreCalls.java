package io.holdfast.internal.store;

import io.holdfast.StoreCommandEvent;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreCommandEvent.Outcome;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.event.Flight;
import io.holdfast.internal.event.Listeners;
import io.holdfast.internal.time.Ticker;
import io.holdfast.internal.time.Timer;
import io.holdfast.internal.time.Timers;
import io.holdfast.spi.LockStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sends single commands to the store, and knows what the last one failed with. */
public final class StoreCalls {

    private final LockStore store;
    private final Ticker ticker;
    private final Timers timers;
    private final long timeoutNanos;
    private final Listeners listeners;
    private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();

    /** The cause of the last command's failure, if it had one that says more than that there was no answer. */
    private volatile @Nullable Throwable lastFailure;

    public StoreCalls(LockStore store, Ticker ticker, Timers timers, long timeoutNanos, Listeners listeners) {
        this.store = store;
        this.ticker = ticker;
        this.timers = timers;
        this.timeoutNanos = timeoutNanos;
        this.listeners = listeners;
    }

    /**
     * Calls the store.
     *
     * @param name what the command is about, if that is one name
     * @param number how many claims it is about
     * @param answered gets the answer, or what the store failed with, which may be thrown as well, without the wrapping of
     *     {@link CompletionException}
     */
    <T> void call(
            Command kind,
            @Nullable String name,
            int number,
            Supplier<CompletionStage<T>> command,
            BiConsumer<@Nullable T, @Nullable Throwable> answered) {
        Object recording = Flight.commandBegins();
        if (recording == null && listeners.isEmpty()) {
            call(command, answered);
            return;
        }
        long sentAt = ticker.nanos();
        call(command, (T value, @Nullable Throwable failure) -> {
            ended(kind, name, number, ticker.nanos() - sentAt, failure, recording);
            answered.accept(value, failure);
        });
    }

    private void ended(
            Command kind,
            @Nullable String name,
            int number,
            long nanos,
            @Nullable Throwable failure,
            @Nullable Object recording) {
        Outcome outcome = Outcome.ANSWERED;
        if (failure != null) {
            outcome = failure instanceof StoreRefusedException ? Outcome.REFUSED : Outcome.FAILED;
        }
        if (recording != null) {
            Flight.commandEnds(recording, kind, name, number, outcome, failure);
        }
        if (listeners.isEmpty()) {
            return;
        }
        StoreCommandEvent event = new StoreCommandEvent(
                store.description(), kind, name, number, Duration.ofNanos(nanos), outcome, failure);
        listeners.tell(listener -> listener.commandEnded(event));
    }

    private <T> void call(Supplier<CompletionStage<T>> command, BiConsumer<@Nullable T, @Nullable Throwable> answered) {
        try {
            command.get().whenComplete((value, failure) -> {
                Throwable thrown = failure == null ? null : Failures.unwrapped(failure);
                noteFailure(thrown);
                answered.accept(value, thrown);
            });
        } catch (RuntimeException | Error e) {
            answered.accept(null, e);
        }
    }

    private void noteFailure(@Nullable Throwable failure) {
        Throwable cause = failure instanceof StoreUnavailableException ? Failures.cause(failure) : null;
        if (cause != null || lastFailure != null) {
            lastFailure = cause;
        }
    }

    /** {@link #call} with a future, and a failure if the answer does not come in time. */
    @SuppressWarnings("CollectionUndefinedEquality") // each answer is only itself
    <T> CompletableFuture<T> callInTime(
            Command kind, @Nullable String name, String what, Supplier<CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        call(kind, name, 1, command, (value, failure) -> {
            if (failure == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        Timer timer = new Timer(() -> answer.completeExceptionally(noAnswer(what, timeoutNanos)));
        if (!answer.isDone()) {
            timers.arm(timer, ticker.nanos() + timeoutNanos);
            unanswered.add(answer);
            answer.whenComplete((value, failure) -> {
                timers.cancel(timer);
                unanswered.remove(answer);
            });
        }
        return answer;
    }

    /** That the store is silent, and what it failed with when it last did not answer, if it has not answered since. */
    StoreUnavailableException noAnswer(String what, long nanos) {
        String message = what + ": " + store.description() + " did not answer within "
                + Duration.ofNanos(nanos).toMillis() + " ms";
        Throwable last = lastFailure;
        return last == null
                ? new StoreUnavailableException(message)
                : new StoreUnavailableException(message + " (its last failure: " + Failures.root(last) + ")", last);
    }

    /** Fails what still waits for the store, since no timer will do it any more. */
    public void abandon(Throwable why) {
        unanswered.forEach(answer -> answer.completeExceptionally(why));
    }
}
