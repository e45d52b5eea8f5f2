package io.holdfast.simulation;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.internal.lock.BlockingCalls;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.simulation.Tally.What;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One caller's asking for something, in one of the ways that the API has, until the caller knows how it ended. */
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

        /** Those that keep the lock until it is given back, so that no client has reason to ask when a lease ends. */
        static final List<Way> KEPT =
                List.of(LOCK, TRY, TRY_TIMED, ACQUIRE, TRY_ACQUIRE, PARK, PARK_TIMED, PARK_HANDLE);

        boolean ofHandle() {
            return this == ACQUIRE || this == TRY_ACQUIRE || this == PARK_HANDLE;
        }

        boolean timed() {
            return this == TRY_TIMED || this == TRY_LEASED || this == TRY_ACQUIRE || this == PARK_TIMED;
        }

        boolean leased() {
            return this == LOCK_LEASED || this == TRY_LEASED || this == PARK_LEASED;
        }
    }

    /** Told once, when the caller knows. */
    interface Answer {
        void answered(Request request, boolean had, @Nullable Throwable failure);
    }

    static final long FOREVER = Long.MAX_VALUE;

    final SimProcess process;
    final Want want;
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
    private BlockingCalls.@Nullable Parked parked;
    private boolean done;
    private boolean quit;

    Request(SimProcess process, Want want, Way way, long owner, long number, long wait, Duration lease, Answer answer) {
        this.process = process;
        this.want = want;
        this.way = way;
        this.owner = owner;
        this.number = number;
        this.wait = way == Way.TRY ? 0 : way.timed() ? wait : FOREVER;
        this.lease = lease;
        this.answer = answer;
        World world = process.world;
        this.startedAt = world.now();
        this.startedAtLocal = process.nanos();
        this.free = want.parts().stream().allMatch(part -> isFree(part.target()));
        this.reentry = want.parts().stream().allMatch(this::isOwned);
        world.trace.say(
                process.id,
                "caller %d asks for %s: %s%s%s",
                owner,
                want,
                way,
                this.wait == FOREVER ? "" : ", waits " + Time.show(this.wait),
                way.leased() ? ", lease " + Time.show(lease.toNanos()) : "");
        world.oracle.started(this);
    }

    /** True if no claim holds it, as far as the store and the clients know. */
    boolean isFree(Target target) {
        return process.world.server.isFree(target.name())
                && EngineProbe.holds(process.engine, target.type(), target.name())
                        .isEmpty();
    }

    /** Whether its owner has that part already. */
    boolean isOwned(Want.Part part) {
        return !way.ofHandle()
                && part.target().isLock()
                && EngineProbe.holdOf(process.engine, part.target().name(), part.mode(), owner) != null;
    }

    /** Whether those of one client who ask like this stand in one line, served in order. */
    boolean isPlain() {
        return !want.isMulti() && want.mode() == Mode.EXCLUSIVE && (want.part().isPlain() || way == Way.TRY);
    }

    void start(LockOptions options) {
        if (want.isPermits()) {
            startPermits(want.semaphore(process.locks, options), options);
        } else {
            startLock(want.lock(process.locks, options));
        }
    }

    private void startLock(DistributedLock lock) {
        long millis = lease.toMillis();
        switch (way) {
            case LOCK -> listen(lock.lockAsync(owner));
            case LOCK_LEASED -> listen(lock.lockAsync(millis, TimeUnit.MILLISECONDS, owner));
            case TRY -> listen(lock.tryLockAsync(owner));
            case TRY_TIMED -> listen(lock.tryLockAsync(wait, -1, TimeUnit.NANOSECONDS, owner));
            case TRY_LEASED -> listen(lock.tryLockAsync(wait, lease.toNanos(), TimeUnit.NANOSECONDS, owner));
            case ACQUIRE -> listen(lock.acquireAsync());
            case TRY_ACQUIRE -> listen(lock.tryAcquireAsync(Duration.ofNanos(wait)));
            case PARK, PARK_TIMED -> park(BlockingCalls.park(lock, null, owner, wait));
            case PARK_LEASED -> park(BlockingCalls.park(lock, lease, owner, wait));
            case PARK_HANDLE -> park(BlockingCalls.park(lock, null, null, wait));
        }
    }

    /** What the API has no future for is done as a thread would do it. */
    private void startPermits(DistributedSemaphore semaphore, LockOptions options) {
        int permits = want.permits();
        switch (way) {
            case LOCK -> listen(semaphore.acquireAsync(permits));
            case TRY_TIMED -> listen(semaphore.tryAcquireAsync(permits, Duration.ofNanos(wait)));
            case ACQUIRE -> listen(semaphore.acquireLeaseAsync(permits));
            case TRY_ACQUIRE -> listen(semaphore.tryAcquireLeaseAsync(permits, Duration.ofNanos(wait)));
            case LOCK_LEASED, TRY, TRY_LEASED, PARK, PARK_TIMED, PARK_LEASED, PARK_HANDLE -> {
                Want.Part part = want.part();
                park(BlockingCalls.parkPermits(
                        process.engine,
                        part.target().name(),
                        part.fair() && way != Way.TRY,
                        permits,
                        part.target().capacity(),
                        way.leased() ? LeaseTerms.leased(lease) : watchdog(options),
                        wait));
            }
        }
    }

    private LeaseTerms watchdog(LockOptions options) {
        Duration own = options.lease();
        return LeaseTerms.watchdog(own == null ? process.world.scenario.lease : own);
    }

    private void listen(CompletableFuture<?> asked) {
        future = asked;
        asked.whenComplete((value, failure) -> ended(value, failure));
    }

    private void park(BlockingCalls.Parked thread) {
        parked = thread;
        thread.sleep(came -> {
            Oracle oracle = process.world.oracle;
            oracle.called(this);
            if (process.world.dice.percent(10)) {
                process.execute(this::quit); // perhaps before it is awake
            }
            process.execute(() -> {
                oracle.awake(this);
                came.run();
            });
        });
        thread.result()
                .whenComplete((hold, failure) -> process.execute(() -> {
                    if (hold != null && !done) {
                        BlockingCalls.Parked.has(hold);
                        if (want.isPermits() && !way.ofHandle()) {
                            BlockingCalls.keepPermits(process.engine, hold);
                        }
                    }
                    ended(Optional.ofNullable(hold), failure);
                }));
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
            world.trace.say(process.id, "caller %d no longer wants %s", owner, want);
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
        return "caller " + owner + " of " + process + " (" + way + " " + want + ", since " + Time.show(startedAt) + ")";
    }
}
