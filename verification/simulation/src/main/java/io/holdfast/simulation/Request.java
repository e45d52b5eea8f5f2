package io.holdfast.simulation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.Inside;
import io.holdfast.internal.Terms;
import io.holdfast.simulation.Tally.What;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One caller's asking for one lock, in one of the ways that the API has, until the caller knows how it ended. */
final class Request {

    /** The ways to ask. */
    enum Way {
        LOCK,
        LOCK_LEASED,
        TRY,
        TRY_TIMED,
        TRY_LEASED,
        ACQUIRE,
        TRY_ACQUIRE,
        /** A thread that blocks, and can be interrupted. */
        PARK,
        PARK_TIMED,
        PARK_LEASED,
        PARK_HANDLE;

        static final List<Way> ALL = List.of(values());

        boolean ofHandle() {
            return this == ACQUIRE || this == TRY_ACQUIRE || this == PARK_HANDLE;
        }

        boolean timed() {
            return this == TRY_TIMED || this == TRY_LEASED || this == TRY_ACQUIRE || this == PARK_TIMED;
        }
    }

    /** Told once, when the caller knows. */
    interface Answer {
        void answered(Request request, boolean had, @Nullable Throwable failure);
    }

    static final long FOREVER = Long.MAX_VALUE;

    final SimProcess process;
    final String name;
    final Way way;
    final long owner;
    final long number;
    final long startedAt;
    final long startedAtLocal;
    final long wait;
    final Duration lease;
    final boolean free;

    /** Whether its owner has the lock already. */
    final boolean reentry;

    /** Since when its owner is known to have the lock. */
    long ownedSince = Long.MAX_VALUE;

    /** The handle that came, where a handle was asked for. */
    @Nullable
    Lease handle;

    private final Answer answer;
    private @Nullable CompletableFuture<?> future;
    private Inside.@Nullable Parked parked;
    private boolean done;
    private boolean quit;

    Request(
            SimProcess process,
            String name,
            Way way,
            long owner,
            long number,
            long wait,
            Duration lease,
            Answer answer) {
        this.process = process;
        this.name = name;
        this.way = way;
        this.owner = owner;
        this.number = number;
        this.wait = way == Way.TRY ? 0 : way.timed() ? wait : FOREVER;
        this.lease = lease;
        this.answer = answer;
        World world = process.world;
        this.startedAt = world.now();
        this.startedAtLocal = process.nanos();
        this.free = world.server.holder(name) == null && Inside.hold(process.engine, name) == null;
        this.reentry = !way.ofHandle() && Inside.holdOf(process.engine, name, owner) != null;
        world.trace.say(
                process.id,
                "caller %d asks for %s: %s%s%s",
                owner,
                name,
                way,
                this.wait == FOREVER ? "" : ", waits " + Time.show(this.wait),
                way == Way.LOCK_LEASED || way == Way.TRY_LEASED || way == Way.PARK_LEASED
                        ? ", lease " + Time.show(lease.toNanos())
                        : "");
        world.oracle.started(this);
    }

    void start(LockOptions options) {
        DistributedLock lock = process.engine.lock(name, options);
        long millis = lease.toMillis();
        switch (way) {
            case LOCK -> listen(lock.lockAsync(owner));
            case LOCK_LEASED -> listen(lock.lockAsync(millis, TimeUnit.MILLISECONDS, owner));
            case TRY -> listen(lock.tryLockAsync(owner));
            case TRY_TIMED -> listen(lock.tryLockAsync(wait, -1, TimeUnit.NANOSECONDS, owner));
            case TRY_LEASED -> listen(lock.tryLockAsync(wait, lease.toNanos(), TimeUnit.NANOSECONDS, owner));
            case ACQUIRE -> listen(lock.acquireAsync());
            case TRY_ACQUIRE -> listen(lock.tryAcquireAsync(Duration.ofNanos(wait)));
            case PARK -> park(watchdog(options), owner, Inside.Parked.FOREVER);
            case PARK_TIMED -> park(watchdog(options), owner, wait);
            case PARK_LEASED -> park(Terms.leased(lease), owner, Inside.Parked.FOREVER);
            case PARK_HANDLE -> park(watchdog(options), null, Inside.Parked.FOREVER);
        }
    }

    private Terms watchdog(LockOptions options) {
        Duration own = options.lease();
        return Terms.watchdog(own == null ? process.world.scenario.lease : own);
    }

    private void listen(CompletableFuture<?> asked) {
        future = asked;
        asked.whenComplete((value, failure) -> ended(value, failure));
    }

    private void park(Terms terms, @Nullable Long ownerId, long waitNanos) {
        Inside.Parked thread = Inside.park(process.engine, name, terms, ownerId, waitNanos);
        parked = thread;
        thread.result()
                .whenComplete((hold, failure) -> process.execute(() -> ended(Optional.ofNullable(hold), failure)));
    }

    private void ended(@Nullable Object value, @Nullable Throwable failure) {
        if (done) {
            return; // a thread that was interrupted before it woke up
        }
        done = true;
        boolean had = failure == null
                && !Boolean.FALSE.equals(value)
                && !Optional.empty().equals(value);
        if (had && way.ofHandle()) {
            handle = (Lease) (value instanceof Optional<?> optional ? optional.orElseThrow() : value);
        }
        process.world.oracle.ended(this, had, failure);
        answer.answered(this, had, failure);
    }

    boolean isDone() {
        return done;
    }

    /** Whether the caller has ended it. */
    boolean wasQuit() {
        return quit;
    }

    /** The caller no longer wants it: it cancels, is interrupted, or decides the future itself. */
    void quit() {
        if (done) {
            return;
        }
        quit = true;
        World world = process.world;
        if (parked != null) {
            world.trace.say(process.id, "caller %d is interrupted", owner);
            world.happened(What.INTERRUPTED);
            parked.interrupt();
            ended(null, new InterruptedException());
        } else if (future != null) {
            world.trace.say(process.id, "caller %d no longer wants %s", owner, name);
            switch (world.dice.between(0, 2)) {
                case 0 -> future.completeExceptionally(new TimeoutException("the caller's own time-out"));
                case 1 -> completeEmpty(future);
                default -> future.cancel(true);
            }
            world.happened(What.CANCELLED);
        }
    }

    /** As {@link CompletableFuture#completeOnTimeout} does. */
    @SuppressWarnings("unchecked")
    private void completeEmpty(CompletableFuture<?> asked) {
        if (way == Way.TRY_TIMED || way == Way.TRY_LEASED || way == Way.TRY) {
            process.world.happened(What.COMPLETED_BY_CALLER);
            ((CompletableFuture<Boolean>) asked).complete(false);
        } else if (way == Way.TRY_ACQUIRE) {
            process.world.happened(What.COMPLETED_BY_CALLER);
            ((CompletableFuture<Optional<Lease>>) asked).complete(Optional.empty());
        } else {
            asked.cancel(false);
        }
    }

    @Override
    public String toString() {
        return "caller " + owner + " of " + process + " (" + way + " " + name + ", since " + Time.show(startedAt) + ")";
    }
}
