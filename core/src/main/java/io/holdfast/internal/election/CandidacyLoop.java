package io.holdfast.internal.election;

import io.holdfast.Candidacy;
import io.holdfast.ClientClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.Leadership;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.Failures;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Campaigns, leads for a {@link Term}, and campaigns again, until it is closed. It is in one of the three at a time, or pauses. */
final class CandidacyLoop implements Candidacy {

    private static final Logger log = LoggerFactory.getLogger(CandidacyLoop.class);

    private final Elections elections;
    private final ElectionFace election;
    private final CandidateCalls candidate;
    private final long leaseNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Timer pause = new Timer(this::campaign);
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private boolean closed;
    private int failures;
    private @Nullable CompletableFuture<Leadership> campaign;
    private volatile @Nullable Term term;

    CandidacyLoop(Elections elections, ElectionFace election, CandidateCalls candidate, long leaseNanos) {
        this.elections = elections;
        this.election = election;
        this.candidate = candidate;
        this.leaseNanos = leaseNanos;
        done.whenComplete((nothing, failure) -> elections.ended(this));
    }

    void campaign() {
        CompletableFuture<Leadership> begun;
        lock.lock();
        try {
            if (closed) {
                done.complete(null);
                return;
            }
            begun = election.campaignAsync();
            campaign = begun;
        } finally {
            lock.unlock();
        }
        begun.whenComplete(this::campaigned);
    }

    /** On the callback executor; in the thread that campaigns, where the answer was there at once; or in the one that closes this. */
    private void campaigned(@Nullable Leadership won, @Nullable Throwable failure) {
        if (won == null) {
            hasFailed(failure == null ? new CancellationException() : Failures.unwrapped(failure), true);
            return;
        }
        Term begun = new Term(elections.engine(), (LeaderLease) won, candidate, leaseNanos);
        boolean leave;
        lock.lock();
        try {
            campaign = null;
            term = begun;
            leave = closed;
        } finally {
            lock.unlock();
        }
        begun.over().whenComplete((nothing, none) -> ended(begun));
        if (leave) {
            begun.end();
        }
        elections.engine().execute(begun::begin);
    }

    private void ended(Term ended) {
        lock.lock();
        try {
            term = null;
        } finally {
            lock.unlock();
        }
        if (ended.failure() != null) {
            hasFailed(ended.failure(), false);
        } else {
            failures = 0;
            campaign();
        }
    }

    /** Pauses before the next campaign: briefly if only the store was away, ever longer if it may stay as it is. */
    private void hasFailed(Throwable failure, boolean campaigning) {
        boolean over;
        boolean retryable = failure instanceof HoldfastException known && known.retryable();
        lock.lock();
        try {
            campaign = null;
            over = closed || failure instanceof ClientClosedException;
            closed = over;
            if (!over) {
                int doublings = retryable ? 0 : Math.min(failures++, Tuning.CAMPAIGN_DOUBLINGS);
                long nanos = Math.min(Tuning.CAMPAIGN_PAUSE_NANOS << doublings, Tuning.LONGEST_CAMPAIGN_PAUSE_NANOS);
                elections.engine().timers().arm(pause, elections.engine().now() + nanos);
            }
        } finally {
            lock.unlock();
        }
        if (over) {
            done.complete(null);
        } else if (campaigning) {
            tell(failure, retryable);
        }
    }

    private void tell(Throwable failure, boolean retryable) {
        if (!retryable && failures == 1) {
            log.warn("A campaign for election '{}' failed, and is repeated: {}", name(), failure.toString());
        }
        try {
            candidate.campaignFailed(failure);
        } catch (RuntimeException | Error e) {
            log.error("A candidate failed when it was told that its campaign had", e);
        }
    }

    private String name() {
        return Messages.line(election.name());
    }

    // ---- what callers see -------------------------------------------------------------------------------------

    @Override
    public Optional<Leadership> leadership() {
        Term current = term;
        return current == null || current.isEnding() ? Optional.empty() : Optional.of(current.leadership());
    }

    @Override
    public CompletableFuture<Void> resignAsync() {
        Term current = term;
        return current == null ? Futures.KNOWN : elections.engine().onCallbackExecutor(current.end());
    }

    @Override
    public void resign() {
        awaitUnlessCalled(resignAsync());
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return elections.engine().onCallbackExecutor(stop());
    }

    @Override
    public void close() {
        awaitUnlessCalled(stop());
    }

    /** Campaigns no more; completes when the candidate has stopped and the leadership is given back. */
    CompletableFuture<Void> stop() {
        CompletableFuture<Leadership> asked;
        Term current;
        lock.lock();
        try {
            closed = true;
            asked = campaign;
            current = term;
            elections.engine().timers().cancel(pause);
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.end();
        } else if (asked != null) {
            asked.cancel(true); // if it has won in this moment, it is given back
        } else {
            done.complete(null);
        }
        return done;
    }

    /** Ends the current term, if there is one; completes when it has ended. */
    CompletableFuture<Void> endTerm() {
        Term current = term;
        return current == null ? Futures.KNOWN : current.end();
    }

    /** The client closes, and waits no longer for the candidate. */
    void leaveToLease() {
        Term current = term;
        if (current != null) {
            current.leaveToLease();
        }
    }

    private void awaitUnlessCalled(CompletableFuture<Void> end) {
        if (!candidate.isCalling()) {
            Await.uninterruptibly(end);
        }
    }

    @Override
    public String toString() {
        return "Candidacy[" + election + "]";
    }
}
