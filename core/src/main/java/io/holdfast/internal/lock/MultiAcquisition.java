package io.holdfast.internal.lock;

import io.holdfast.LeaseLostException;
import io.holdfast.LockEvent;
import io.holdfast.internal.Limits;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.event.Flight;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.Failures;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Strand;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes the locks of a multi-lock: all of them or none.
 *
 * <p><b>How it works.</b> A caller that waits first asks for all at once, without waiting: where they are free that takes as long
 * as one. If not all were granted, the granted ones are released, and then each is waited for, one after the other, in an order
 * that is the same in every process; so a waiter only holds what comes before, and no circle of waiters can form. What is held
 * meanwhile is kept, and gets its lease time when all are granted.
 *
 * <p>A caller that does not wait, or only for a moment, takes them in that order from the start: a round trip for each. A caller
 * is then refused only by a rival that is further on, and the rival that is furthest on is refused by none: of several callers
 * that ask for the same free locks, one gets them. If such callers asked for all at once, each could get a part, and all could
 * be refused because of parts that are given back a moment later.
 */
final class MultiAcquisition implements PendingRequest {

    private final List<SingleLock> locks;
    private final LeaseTerms terms;
    private final LockOwner owner;
    private final long waitNanos;
    private final boolean barging;
    private final @Nullable Object recording = Flight.waitBegins();
    private final Engine engine;
    private final long startedAt;
    private final Strand strand = new Strand();
    private final CompletableFuture<@Nullable MultiHold> result = new CompletableFuture<>();
    private final List<HeldLease> had = new ArrayList<>();

    /** For what has no time-out of its own: asking for all at once, several brief waits, and giving all their lease time. */
    private final Timer timeout = new Timer(() -> strand.execute(this::timeIsUp));

    private List<PendingRequest> trying = List.of();

    /** Whether it has been given up; its caller may not have been told yet. */
    private boolean over;

    private @Nullable PendingRequest waiting;
    private long sentAt;

    MultiAcquisition(List<SingleLock> locks, LeaseTerms terms, LockOwner owner, long waitNanos, boolean barging) {
        this.locks = locks;
        this.terms = terms;
        this.owner = owner;
        this.waitNanos = waitNanos;
        this.barging = barging;
        this.engine = locks.get(0).engine();
        this.startedAt = engine.now();
    }

    @Override
    public String name() {
        return locks.stream().map(SingleLock::getName).collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public @Nullable Object recording() {
        return recording;
    }

    @Override
    public Mode mode() {
        return Mode.EXCLUSIVE;
    }

    @Override
    public CompletableFuture<@Nullable MultiHold> result() {
        return result;
    }

    @Override
    public CompletableFuture<Void> withdraw(LockEvent.NotGranted.Cause cause) {
        if (!result.complete(null)) {
            return Futures.KNOWN;
        }
        CompletableFuture<Void> known = new CompletableFuture<>();
        strand.execute(() -> leave(cause).whenComplete((left, failure) -> known.complete(null)));
        return known;
    }

    /** The caller has left; completes when the stores know. */
    private CompletableFuture<Void> leave(LockEvent.NotGranted.Cause cause) {
        over = true;
        engine.timers().cancel(timeout);
        List<CompletableFuture<Void>> leaving = new ArrayList<>();
        trying.forEach(one -> leaving.add(one.withdraw(cause)));
        if (waiting != null) {
            leaving.add(waiting.withdraw(cause));
        }
        leaving.add(giveBack());
        return Futures.allOf(leaving);
    }

    // ---- its time ---------------------------------------------------------------------------------------------

    private void armTimeout() {
        sentAt = engine.now();
        if (waitNanos > 0 && waitNanos != Waiter.FOREVER && !asksInOrder()) {
            long unanswered = sentAt + Tuning.UNANSWERED_NANOS;
            long end = startedAt + waitNanos;
            engine.timers().arm(timeout, end - unanswered > 0 ? end : unanswered);
        }
    }

    /** The store has had the time that it was given, and has not answered. */
    private void timeIsUp() {
        if (result.isDone()) {
            return;
        }
        for (SingleLock lock : locks) {
            Throwable outage =
                    lock.engine().health().outage(Messages.label(ResourceType.LOCK, lock.getName()), lock.getName());
            if (outage != null) {
                result.completeExceptionally(outage);
            }
        }
        result.complete(null);
        leave(LockEvent.NotGranted.Cause.TIMED_OUT);
    }

    /** How long the next lock may be waited for. What little is left of a brief wait is enough for a lock that is free. */
    private long timeLeft() {
        if (waitNanos <= 0 || waitNanos == Waiter.FOREVER) {
            return Math.max(0, waitNanos);
        }
        return Math.max(asksInOrder() ? 1 : 0, startedAt + waitNanos - engine.now());
    }

    // ---- all at once ------------------------------------------------------------------------------------------

    void begin() {
        strand.execute(() -> {
            if (asksInOrder()) {
                if (waitNanos > 0) {
                    engine.timers().arm(timeout, startedAt + waitNanos + Tuning.UNANSWERED_NANOS);
                }
                takeNext();
                return;
            }
            trying = locks.stream()
                    .map(lock -> lock.ask(termsOf(lock), owner, 0, barging))
                    .toList();
            armTimeout();
            CompletableFuture.allOf(trying.stream().map(PendingRequest::result).toArray(CompletableFuture<?>[]::new))
                    .whenComplete((nothing, failure) -> strand.execute(() -> tried(failure)));
        });
    }

    /** True if rivals that ask at the same time must not be refused because of a part that this acquisition gives back. */
    private boolean asksInOrder() {
        return waitNanos <= Tuning.MULTI_AT_ONCE_NANOS;
    }

    private void tried(@Nullable Throwable failure) {
        engine.timers().cancel(timeout);
        for (PendingRequest one : trying) {
            HeldLease held = one.result().isCompletedExceptionally()
                    ? null
                    : one.result().join();
            if (held != null) {
                had.add(held);
            }
        }
        trying = List.of();
        if (over) {
            giveBack();
        } else if (failure != null) {
            fail(Failures.unwrapped(failure));
        } else if (had.size() == locks.size()
                && had.stream().allMatch(HeldLease::isValid)) { // the last may have taken long
            succeed();
        } else {
            giveBack();
            takeNext();
        }
    }

    // ---- one after the other ----------------------------------------------------------------------------------

    private void takeNext() {
        if (over || result.isDone()) {
            giveBack();
            return;
        }
        if (had.size() == locks.size()) {
            haveAll();
            return;
        }
        long left = timeLeft();
        if (left <= 0 && waitNanos > 0) {
            hadNot();
            return;
        }
        SingleLock next = locks.get(had.size());
        PendingRequest asked = next.ask(waitNanos > 0 ? keptTerms(next) : termsOf(next), owner, left, barging);
        waiting = asked;
        asked.result()
                .whenComplete((held, failure) -> strand.execute(() -> {
                    waiting = null;
                    if (failure != null) {
                        fail(failure);
                    } else if (held == null) {
                        hadNot();
                    } else {
                        had.add(held);
                        takeNext();
                    }
                }));
    }

    private void haveAll() {
        MultiHold all = new MultiHold(List.copyOf(had));
        if (!all.isValid()) { // one was lost during the wait for another
            if (waitNanos <= 0) {
                hadNot();
            } else {
                giveBack();
                takeNext();
            }
        } else if (terms.watchdog() || waitNanos <= 0) {
            succeed();
        } else {
            armTimeout();
            all.extendAsync(terms.lease())
                    .whenComplete((nothing, failure) -> strand.execute(() -> {
                        if (failure == null) {
                            all.stopKeeping();
                            succeed();
                        } else if (failure instanceof LeaseLostException) {
                            if (!asksInOrder()) {
                                engine.timers().cancel(timeout);
                            }
                            giveBack();
                            takeNext();
                        } else {
                            fail(failure);
                        }
                    }));
        }
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    /** Tells the caller when the stores know what is given back, so that its next request does not meet it. */
    private void hadNot() {
        engine.timers().cancel(timeout);
        long wait = waitNanos == Waiter.FOREVER ? 0 : Math.max(0, waitNanos);
        long until = startedAt + wait + Tuning.UNANSWERED_NANOS;
        engine.whenKnown(giveBack(), until, () -> result.complete(null));
    }

    private void succeed() {
        engine.timers().cancel(timeout);
        if (!over && result.complete(new MultiHold(List.copyOf(had)))) {
            had.clear();
        } else {
            giveBack();
        }
    }

    private void fail(Throwable failure) {
        engine.timers().cancel(timeout);
        giveBack();
        result.completeExceptionally(failure);
    }

    private CompletableFuture<Void> giveBack() {
        CompletableFuture<Void> known =
                Futures.allOf(had.stream().map(HeldLease::cancel).toList());
        had.clear();
        return known;
    }

    /** What is had is kept until all are; by a lease that a few round trips don't use up. */
    private LeaseTerms keptTerms(SingleLock lock) {
        Duration lease = termsOf(lock).lease();
        return LeaseTerms.watchdog(lease.compareTo(Limits.MIN_WATCHDOG_LEASE) < 0 ? Limits.MIN_WATCHDOG_LEASE : lease);
    }

    private LeaseTerms termsOf(SingleLock lock) {
        return terms.watchdog() ? lock.watchdog() : terms;
    }
}
