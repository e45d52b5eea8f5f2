package io.holdfast.internal.claim;

import io.holdfast.HoldfastException;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.internal.store.Failures;
import io.holdfast.internal.store.LogSummary;
import io.holdfast.internal.time.Strand;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ReleaseResult;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives claims back, and does not stop at the first failure: a release whose answer was lost is sent again until the
 * store has answered or the lease has ended by itself.
 */
public final class Releaser {

    private static final Logger log = LoggerFactory.getLogger(Releaser.class);

    private final ClaimContext engine;
    private final LogSummary failures;
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    public Releaser(ClaimContext engine) {
        this.engine = engine;
        this.failures = new LogSummary(
                engine,
                log,
                "could not be given back and ends by its lease",
                "could not be given back and end by their leases");
    }

    /**
     * Releases the claim. The answer comes, or fails, within the client's time-out; the trying goes on after that.
     *
     * @param granted whether the store is known to have granted it
     * @param until when the claim will have ended by itself
     */
    CompletableFuture<ReleaseResult> release(Claim claim, boolean granted, long until) {
        Attempt attempt = new Attempt(claim, granted, until);
        underWay.add(attempt);
        attempt.send();
        return attempt.answer;
    }

    /** Completes when nothing is under way. */
    public CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(
                underWay.stream().map(attempt -> attempt.done).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Completes when nothing is under way that is worth waiting for: what the store has never granted is not, once the store
     * can't be reached.
     */
    public CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(
                underWay.stream().map(attempt -> attempt.settled).toArray(CompletableFuture<?>[]::new));
    }

    /** Nothing is tried any more. */
    public void abandon(Throwable why) {
        underWay.forEach(attempt -> attempt.strand.execute(() -> {
            attempt.answer.completeExceptionally(why);
            attempt.finish();
        }));
    }

    /** No timer comes any more. */
    public void close() {
        failures.close();
    }

    public int size() {
        return underWay.size();
    }

    private final class Attempt {

        final Claim claim;
        final boolean granted;
        final long until;
        final long startedAt = engine.now();
        final CompletableFuture<ReleaseResult> answer = new CompletableFuture<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        /** Done, or as good as that. */
        final CompletableFuture<Void> settled = new CompletableFuture<>();

        final Strand strand = new Strand();
        final Timer timer = new Timer(() -> strand.execute(this::tick));
        int sent;
        boolean waiting;

        Attempt(Claim claim, boolean granted, long until) {
            this.claim = claim;
            this.granted = granted;
            this.until = until;
        }

        void send() {
            strand.execute(() -> {
                int n = ++sent;
                waiting = true;
                engine.timers().arm(timer, engine.now() + engine.replyTimeoutNanos());
                engine.call(
                        Command.RELEASE,
                        claim.name(),
                        1,
                        () -> engine.store().release(claim),
                        (release, failure) -> strand.execute(() -> answered(n, release, failure)));
            });
        }

        private void answered(int n, @Nullable ReleaseResult release, @Nullable Throwable failure) {
            if (done.isDone()) {
                return;
            }
            if (release != null) {
                // Sent more than once, "not held" may be the work of the one whose answer was lost.
                answer.complete(sent > 1 ? new ReleaseResult(true, release.contended()) : release);
                finish();
            } else if (n == sent) {
                if (!granted) {
                    settled.complete(null);
                }
                failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
            }
        }

        private void failed(Throwable failure) {
            long now = engine.now();
            boolean hopeless = failure instanceof HoldfastException known && !known.retryable();
            if (hopeless || now - until >= 0) {
                String label = claim.label();
                failures.warn(label, Failures.reason(label, failure));
                answer.completeExceptionally(failure);
                finish();
                return;
            }
            if (now - startedAt >= engine.timeoutNanos()) {
                String label = claim.label();
                answer.completeExceptionally(Failures.unavailable(
                        label + " was unlocked, but the store has not confirmed it ("
                                + Failures.reason(label, failure)
                                + "); it is given back when the store"
                                + " is reachable again, and ends by itself within "
                                + Duration.ofNanos(until - now).toMillis() + " ms",
                        failure));
            }
            waiting = false;
            engine.timers().arm(timer, now + engine.backoffNanos(sent));
        }

        private void tick() {
            if (done.isDone()) {
                return;
            }
            if (waiting) {
                failed(engine.noAnswer(claim.label(), engine.replyTimeoutNanos()));
            } else {
                send();
            }
        }

        private void finish() {
            engine.timers().cancel(timer);
            underWay.remove(this);
            done.complete(null);
            settled.complete(null);
        }
    }
}
