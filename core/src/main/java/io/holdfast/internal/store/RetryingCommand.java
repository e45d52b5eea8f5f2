package io.holdfast.internal.store;

import io.holdfast.HoldfastException;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Strand;
import io.holdfast.internal.time.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An idempotent command that is sent again until the store answers it, says no, or time is over. Whichever of its attempts
 * is answered, the answer is good.
 */
public final class RetryingCommand<T> {

    private final StoreContext engine;
    private final Command kind;
    private final @Nullable String name;
    private final String subject;
    private final Supplier<CompletionStage<T>> command;
    private final long startedAt;
    private final long until;
    private final Strand strand = new Strand();
    private final Timer timer = new Timer(() -> strand.execute(this::timerDue));
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    private volatile int sent;
    private boolean underWay;
    private long timerAt;
    private Throwable lastFailure;

    /**
     * @param name what it is about, if that is one name
     * @param subject the same for messages
     * @param until when to give up
     */
    public RetryingCommand(
            StoreContext engine,
            Command kind,
            @Nullable String name,
            String subject,
            Supplier<CompletionStage<T>> command,
            long until) {
        this.engine = engine;
        this.kind = kind;
        this.name = name;
        this.subject = subject;
        this.command = command;
        this.startedAt = engine.now();
        this.until = until;
        this.lastFailure = noAnswer(startedAt);
    }

    /** Sends it. */
    public RetryingCommand<T> start() {
        strand.execute(this::send);
        return this;
    }

    /** What the store says, or why it could not be asked. */
    public CompletableFuture<T> answer() {
        return answer;
    }

    /** Whether an earlier attempt may have done what the answered one found done. */
    public boolean wasRepeated() {
        return sent > 1;
    }

    /** From when on it counts as left without an answer. */
    public long unansweredFrom() {
        return startedAt + Tuning.UNANSWERED_NANOS;
    }

    /** It is not sent any more; the answer fails with this. */
    public void stop(Throwable why) {
        strand.execute(() -> finish(null, why));
    }

    private void send() {
        if (answer.isDone()) {
            return;
        }
        int n = sent + 1;
        sent = n;
        underWay = true;
        arm(engine.now() + engine.replyTimeoutNanos());
        engine.call(kind, name, 1, command, (value, failure) -> strand.execute(() -> answered(n, value, failure)));
    }

    private void answered(int n, @Nullable T value, @Nullable Throwable failure) {
        if (value != null) {
            finish(value, null);
        } else if (n == sent && underWay && !answer.isDone()) {
            failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
        }
    }

    private void failed(Throwable failure) {
        underWay = false;
        lastFailure = failure;
        if (failure instanceof HoldfastException known && known.retryable()) {
            pauseOrGiveUp();
        } else {
            finish(null, failure);
        }
    }

    private void pauseOrGiveUp() {
        long now = engine.now();
        if (now - until < 0) {
            arm(now + engine.backoffNanos(sent));
        } else if (lastFailure instanceof StoreUnavailableException) {
            finish(
                    null,
                    Failures.unavailable(
                            subject + " got no answer in "
                                    + Duration.ofNanos(now - startedAt).toMillis() + " ms: "
                                    + Failures.reason(subject, lastFailure),
                            lastFailure));
        } else {
            finish(null, lastFailure);
        }
    }

    private void timerDue() {
        long now = engine.now();
        if (answer.isDone() || now - timerAt < 0) {
            return; // it has been moved since
        }
        if (underWay) {
            failed(noAnswer(now));
        } else if (now - until < 0) {
            send();
        } else {
            pauseOrGiveUp();
        }
    }

    private StoreUnavailableException noAnswer(long now) {
        return engine.noAnswer(subject, now - startedAt);
    }

    private void arm(long at) {
        timerAt = at - until < 0 ? at : until;
        engine.timers().arm(timer, timerAt);
    }

    private void finish(@Nullable T value, @Nullable Throwable failure) {
        engine.timers().cancel(timer);
        if (value != null) {
            answer.complete(value);
        } else if (failure != null) {
            answer.completeExceptionally(failure);
        }
    }
}
