package io.holdfast.internal;

import io.holdfast.HoldfastException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Release;
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
final class Releaser {

    private static final Logger log = LoggerFactory.getLogger(Releaser.class);

    private final Engine engine;
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    Releaser(Engine engine) {
        this.engine = engine;
    }

    /**
     * Releases the claim. The answer comes, or fails, within the client's time-out; the trying goes on after that.
     *
     * @param until when the claim will have ended by itself
     */
    CompletableFuture<Release> release(Claim claim, long until) {
        Attempt attempt = new Attempt(claim, until);
        underWay.add(attempt);
        attempt.send();
        return attempt.answer;
    }

    /** Completes when nothing is under way that can still be answered. */
    CompletableFuture<Void> idle() {
        return CompletableFuture.allOf(
                underWay.stream().map(attempt -> attempt.done).toArray(CompletableFuture<?>[]::new));
    }

    /** Nothing is tried any more. */
    void abandon(Throwable why) {
        underWay.forEach(attempt -> attempt.strand.execute(() -> {
            attempt.answer.completeExceptionally(why);
            attempt.finish();
        }));
    }

    int size() {
        return underWay.size();
    }

    private final class Attempt {

        final Claim claim;
        final long until;
        final long startedAt = engine.now();
        final CompletableFuture<Release> answer = new CompletableFuture<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();
        final Strand strand = new Strand();
        final Timer timer = new Timer(() -> strand.execute(this::tick));
        int sent;
        boolean waiting;

        Attempt(Claim claim, long until) {
            this.claim = claim;
            this.until = until;
        }

        void send() {
            strand.execute(() -> {
                int n = ++sent;
                waiting = true;
                engine.timers().arm(timer, engine.now() + engine.replyTimeoutNanos());
                engine.call(
                        () -> engine.store().release(claim),
                        (release, failure) -> strand.execute(() -> answered(n, release, failure)));
            });
        }

        private void answered(int n, @Nullable Release release, @Nullable Throwable failure) {
            if (done.isDone()) {
                return;
            }
            if (release != null) {
                // Sent more than once, "not held" may be the work of the one whose answer was lost.
                answer.complete(sent > 1 ? new Release(true, release.contended()) : release);
                finish();
            } else if (n == sent) {
                failed(failure == null ? new IllegalStateException("the store answered nothing") : failure);
            }
        }

        private void failed(Throwable failure) {
            long now = engine.now();
            boolean hopeless = failure instanceof HoldfastException known && !known.retryable();
            if (hopeless || now - until >= 0) {
                log.warn("{} could not be given back, it ends by its lease: {}", Label.of(claim), failure.toString());
                answer.completeExceptionally(failure);
                finish();
                return;
            }
            if (now - startedAt >= engine.timeoutNanos()) {
                answer.completeExceptionally(new StoreUnavailableException(
                        Label.of(claim) + " was unlocked, but "
                                + engine.store().description()
                                + " has not confirmed it (" + failure.getMessage()
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
                failed(engine.noAnswer(Label.of(claim), engine.replyTimeoutNanos()));
            } else {
                send();
            }
        }

        private void finish() {
            engine.timers().cancel(timer);
            underWay.remove(this);
            done.complete(null);
        }
    }
}
