package io.holdfast.internal.election;

import io.holdfast.Leadership;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.store.Failures;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leadership of a candidate, from the grant to its end:
 *
 * <pre>
 *   won ──→ granted called ──→ granted has ended ──→ revoked called ──→ revoked has ended ──→ given back
 *     └─────────────── ended before granted was called ────────────────────────────────────────┘
 * </pre>
 *
 * Whatever ends it comes through {@link #end}. If {@code granted} still runs then, its thread is interrupted, and if that does not
 * end it soon, {@code revoked} is called beside it. What is decided is decided under the lock; the candidate is called without it.
 */
final class Term {

    private static final Logger log = LoggerFactory.getLogger(Term.class);

    private final Engine engine;
    private final LeaderLease leadership;
    private final CandidateCalls candidate;
    private final long stopNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timer timer = new Timer(this::look);
    private final Timer patience = new Timer(this::revoke);
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** Whether the candidate is to stop, or is not to begin. */
    private boolean ending;

    private boolean grantedBegun;
    private boolean grantedEnded;
    private boolean revokedBegun;
    private boolean revokedEnded;
    private boolean givenBack;

    /** The thread that calls {@code granted}, and whether it was interrupted here. */
    private @Nullable Thread granting;

    private boolean interrupted;
    private volatile @Nullable Throwable failure;

    Term(Engine engine, LeaderLease leadership, CandidateCalls candidate, long leaseNanos) {
        this.engine = engine;
        this.leadership = leadership;
        this.candidate = candidate;
        this.stopNanos = leaseNanos / Tuning.STOPS_PER_LEASE;
    }

    /** On the callback executor: tells the candidate that it leads, if it still does. */
    void begin() {
        leadership.onLost(lost -> end());
        look();
        if (tryBegin()) {
            CompletionStage<Void> granted = call(candidate::granted);
            hasReturned();
            granted.whenComplete((nothing, thrown) -> grantedHasEnded(thrown));
        } else {
            giveBack();
        }
    }

    private boolean tryBegin() {
        lock.lock();
        try {
            grantedBegun = mayLead();
            ending |= !grantedBegun;
            granting = Thread.currentThread();
            return grantedBegun;
        } finally {
            lock.unlock();
        }
    }

    /** The thread goes back to its executor, without an interrupt that was meant for the candidate. */
    private void hasReturned() {
        lock.lock();
        try {
            granting = null;
            if (interrupted) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** True if the candidate may still be told that it leads. */
    private boolean mayLead() {
        return !ending && leadership.isValid();
    }

    /** Ends it when its time to stop has come; a renewal may have moved that. */
    private void look() {
        lock.lock();
        try {
            if (ending) {
                return;
            }
            long left = leftToLead();
            if (left > 0) {
                engine.timers().arm(timer, engine.now() + left);
                return;
            }
        } finally {
            lock.unlock();
        }
        end();
    }

    /** How long the candidate may lead if nothing is renewed, so that it has time to stop before the lease ends. */
    private long leftToLead() {
        return leadership.remaining().toNanos() - stopNanos;
    }

    /** From anywhere: the candidate is to stop. Completes when it has, and the leadership is given back. */
    CompletableFuture<Void> end() {
        boolean revoke;
        lock.lock();
        try {
            revoke = !ending && grantedEnded;
            if (!ending && grantedBegun && !grantedEnded) {
                engine.timers().arm(patience, engine.now() + stopNanos / 2);
                interrupt();
            }
            ending = true;
            engine.timers().cancel(timer);
        } finally {
            lock.unlock();
        }
        if (revoke) {
            revoke();
        }
        return over;
    }

    private void interrupt() {
        Thread thread = granting;
        if (thread != null && thread != Thread.currentThread()) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Tells the candidate that it is to stop, once. */
    private void revoke() {
        lock.lock();
        try {
            if (revokedBegun) {
                return;
            }
            revokedBegun = true;
            engine.timers().cancel(patience);
        } finally {
            lock.unlock();
        }
        engine.execute(() -> call(candidate::revoked).whenComplete((nothing, thrown) -> revokedHasEnded(thrown)));
    }

    CompletableFuture<Void> over() {
        return over;
    }

    boolean isEnding() {
        lock.lock();
        try {
            return ending;
        } finally {
            lock.unlock();
        }
    }

    Leadership leadership() {
        return leadership;
    }

    /** What {@code granted} failed with. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The client closes, and waits no longer for the candidate: the lock must not be given back while it may still lead. */
    void leaveToLease() {
        leadership.held().leaveToLease();
    }

    // ---- the calls --------------------------------------------------------------------------------------------

    private CompletionStage<Void> call(Function<Leadership, CompletionStage<Void>> call) {
        try {
            return call.apply(leadership);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void grantedHasEnded(@Nullable Throwable thrown) {
        boolean revoke;
        boolean failed;
        lock.lock();
        try {
            grantedEnded = true;
            failed = thrown != null && !ending; // otherwise that is how it was ended
            ending |= failed;
            revoke = ending;
            if (thrown != null && failed) {
                failure = Failures.unwrapped(thrown);
                engine.timers().cancel(timer);
            }
        } finally {
            lock.unlock();
        }
        if (failed) {
            log.error("A candidate failed to lead election '{}', and is revoked", name(), failure);
        }
        if (revoke) {
            revoke();
        }
        giveBackIfStopped();
    }

    private void revokedHasEnded(@Nullable Throwable thrown) {
        if (thrown != null) {
            log.error("A candidate failed while it was revoked in election '{}'", name(), Failures.unwrapped(thrown));
        }
        lock.lock();
        try {
            revokedEnded = true;
        } finally {
            lock.unlock();
        }
        giveBackIfStopped();
    }

    private void giveBackIfStopped() {
        lock.lock();
        try {
            if (givenBack || !ending || !hasStopped()) {
                return;
            }
            givenBack = true;
        } finally {
            lock.unlock();
        }
        giveBack();
    }

    /** True if the candidate does nothing as a leader any more. */
    private boolean hasStopped() {
        return grantedEnded && revokedEnded;
    }

    private void giveBack() {
        leadership.closeAsync().whenComplete((nothing, thrown) -> {
            if (thrown != null) {
                log.debug("Giving election '{}' back: {}", name(), thrown.toString());
            }
            over.complete(null);
        });
    }

    private String name() {
        return Messages.line(leadership.name());
    }
}
