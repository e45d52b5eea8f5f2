package io.holdfast.internal;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.LockState;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The asynchronous heart of one client: a {@link LockQueue} for each name in use, and what they share. It has no threads
 * and no clock of its own, so it runs in simulated time as it does in real.
 */
public final class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private static final long FIRST_BACKOFF_NANOS = 20_000_000;
    private static final int BACKOFF_DOUBLINGS = 5;

    private final Identity identity;
    private final LockStore store;
    private final Ticker ticker;
    private final Executor callbacks;
    private final Duration watchdogLease;
    private final long timeoutNanos;
    private final Timers timers;
    private final Events events;
    private final Renewer renewer = new Renewer(this);
    private final Keeper keeper = new Keeper(this);
    private final Releaser releaser = new Releaser(this);
    private final Watches watches = new Watches(this);
    private final HoldCounts holdCounts = new HoldCounts(this);
    private final LostHolds lost = new LostHolds();
    private final Map<String, LockQueue> queues = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();
    private final AtomicLong claims = new AtomicLong();
    private volatile boolean closed;

    public Engine(
            Identity identity,
            LockStore store,
            Duration watchdogLease,
            Duration timeout,
            Ticker ticker,
            Scheduler scheduler,
            Executor callbacks,
            List<LockListener> listeners) {
        this.identity = identity;
        this.store = store;
        this.watchdogLease = watchdogLease;
        this.timeoutNanos = timeout.toNanos();
        this.ticker = ticker;
        this.callbacks = callbacks;
        this.timers = new Timers(ticker, scheduler);
        this.events = new Events(listeners, this::execute);
    }

    public DistributedLock lock(String name, LockOptions options) {
        Duration lease = options.lease();
        return new PlainLock(this, Limits.name(name), Terms.watchdog(lease == null ? watchdogLease : lease));
    }

    /**
     * Takes nothing new, fails what waits, gives back what is held. Completes when the store has answered for all of it,
     * or won't.
     */
    public CompletableFuture<Void> close() {
        closed = true;
        List<CompletableFuture<Void>> closing =
                queues.values().stream().map(LockQueue::close).toList();
        return CompletableFuture.allOf(closing.toArray(CompletableFuture<?>[]::new))
                .thenCompose(nothing -> releaser.idle())
                .whenComplete((nothing, failure) -> watches.close());
    }

    /** Time is over: whoever still waits for the store is told so, since no timer will do it any more. */
    void abandon() {
        releaser.abandon(closedException());
        unanswered.forEach(answer -> answer.completeExceptionally(closedException()));
    }

    /** What a test may count: nothing of this is left when nothing is held, asked for or given back. */
    public int inUse() {
        return queues.size() + releaser.size();
    }

    /** How many names are watched at the store. */
    public int watched() {
        return watches.size();
    }

    public Timers timers() {
        return timers;
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    LockState inspect(String name) {
        return askStore(name, () -> store.inspect(Kind.LOCK, name));
    }

    List<LockState> list(String prefix, int limit) {
        return askStore(prefix, () -> store.list(Kind.LOCK, prefix, limit));
    }

    boolean forceUnlock(String name) {
        return askStore(name, () -> store.forceRelease(Kind.LOCK, name));
    }

    private <T> T askStore(String name, Supplier<CompletionStage<T>> command) {
        if (closed) {
            throw closedException();
        }
        return Await.uninterruptibly(callInTime(name, command));
    }

    // ---- for the faces ----------------------------------------------------------------------------------------

    @Nullable
    Hold holdOf(String name, long ownerId) {
        LockQueue queue = queues.get(name);
        Hold hold = queue == null ? null : queue.hold();
        return hold != null && hold.isOwnedBy(ownerId) ? hold : null;
    }

    Waiter ask(String name, Terms terms, LockOwner owner, long waitNanos) {
        Waiter waiter = new Waiter(name, terms, owner, waitNanos, now());
        enqueue(waiter);
        return waiter;
    }

    void enqueue(Waiter waiter) {
        if (closed) {
            waiter.result.completeExceptionally(closedException());
        }
        if (waiter.decided()) {
            return;
        }
        queues.computeIfAbsent(waiter.name, name -> new LockQueue(this, name)).enqueue(waiter);
    }

    /** The caller has gone. Whatever it got in the meantime is still its own to give back. */
    void withdraw(Waiter waiter) {
        if (waiter.result.complete(null)) {
            LockQueue queue = queues.get(waiter.name);
            if (queue != null) {
                queue.withdraw(waiter);
            }
        }
    }

    /** Takes one entering back. */
    void undo(Hold hold) {
        if (hold.leave() == 0) {
            hold.remote.queue.release(hold, new CompletableFuture<>());
        }
    }

    LostHolds lost() {
        return lost;
    }

    // ---- for the queues ---------------------------------------------------------------------------------------

    Claim newClaim(String name, Terms terms, int tokens, String thread) {
        Owner owner = new Owner(identity.name(), identity.host(), identity.process(), thread);
        String id = identity.id() + ":" + claims.incrementAndGet();
        return new Claim(name, id, Mode.EXCLUSIVE, terms.lease(), 1, tokens, owner);
    }

    void changed(String name) {
        LockQueue queue = queues.get(name);
        if (queue != null) {
            queue.changed();
        }
    }

    void retire(LockQueue queue) {
        queues.remove(queue.name(), queue);
    }

    boolean isClosed() {
        return closed;
    }

    long now() {
        return ticker.nanos();
    }

    LockStore store() {
        return store;
    }

    Events events() {
        return events;
    }

    Renewer renewer() {
        return renewer;
    }

    Keeper keeper() {
        return keeper;
    }

    Releaser releaser() {
        return releaser;
    }

    Watches watches() {
        return watches;
    }

    HoldCounts holdCounts() {
        return holdCounts;
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    /** A third of the time-out, so that a lost answer leaves time to ask again. */
    long replyTimeoutNanos() {
        return Math.max(1, timeoutNanos / 3);
    }

    long backoffNanos(int failures) {
        return Math.min(FIRST_BACKOFF_NANOS << Math.min(failures - 1, BACKOFF_DOUBLINGS), replyTimeoutNanos());
    }

    /** A share of the bound that is this client's own, so that clients that start together don't act together. */
    long jitter(long bound) {
        return Math.floorMod(identity.id().hashCode() * 2_654_435_761L, Math.max(1, bound));
    }

    StoreUnavailableException noAnswer(String name, long nanos) {
        return new StoreUnavailableException("lock '" + name + "': " + store.description() + " did not answer within "
                + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    ClientClosedException closedException() {
        return new ClientClosedException("this Holdfast client is closed; make a new one");
    }

    /** Calls the store; what it throws comes through the stage too, without the wrapping of {@link CompletionException}. */
    <T> CompletableFuture<T> call(Supplier<CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            command.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(unwrapped(failure));
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /** {@link #call}, and a failure if the answer does not come in time. */
    @SuppressWarnings("CollectionUndefinedEquality") // each answer is only itself
    <T> CompletableFuture<T> callInTime(String name, Supplier<CompletionStage<T>> command) {
        CompletableFuture<T> answer = call(command);
        Timer timer = new Timer(() -> answer.completeExceptionally(noAnswer(name, timeoutNanos)));
        if (!answer.isDone()) {
            timers.arm(timer, now() + timeoutNanos);
            unanswered.add(answer);
            answer.whenComplete((value, failure) -> {
                timers.cancel(timer);
                unanswered.remove(answer);
            });
        }
        return answer;
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    // ---- callbacks --------------------------------------------------------------------------------------------

    /** Runs a user's code where it can hold up nobody. */
    void callBack(Runnable action) {
        execute(() -> {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                log.error("a callback failed", e);
            }
        });
    }

    <T> CompletableFuture<T> onCallbackExecutor(CompletableFuture<T> future) {
        CompletableFuture<T> user = new CompletableFuture<>();
        future.whenComplete((value, failure) -> execute(() -> {
            if (failure == null) {
                user.complete(value);
            } else {
                user.completeExceptionally(failure);
            }
        }));
        return user;
    }

    /** Never in the calling thread, which is the timer's or the store's: an executor that won't is passed over. */
    void execute(Runnable task) {
        try {
            callbacks.execute(task);
        } catch (RuntimeException | Error e) {
            log.warn("the callback executor refused a task, which runs elsewhere: {}", e.toString());
            ForkJoinPool.commonPool().execute(task);
        }
    }
}
