package io.holdfast.internal.engine;

import io.holdfast.ClientClosedException;
import io.holdfast.ClientSnapshot;
import io.holdfast.HoldfastException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockState;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.claim.Events;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.HoldCounts;
import io.holdfast.internal.claim.InFlightClaims;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.claim.LostHolds;
import io.holdfast.internal.claim.Notifications;
import io.holdfast.internal.claim.Releaser;
import io.holdfast.internal.claim.RenewalBatches;
import io.holdfast.internal.claim.Watchdog;
import io.holdfast.internal.event.Listeners;
import io.holdfast.internal.latch.Latches;
import io.holdfast.internal.queue.ContendedNames;
import io.holdfast.internal.queue.HandOffPolicy;
import io.holdfast.internal.queue.LockQueue;
import io.holdfast.internal.queue.LockQueues;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.QueueContext;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.Capabilities;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.store.OutageLog;
import io.holdfast.internal.store.RetryingCommands;
import io.holdfast.internal.store.StoreCalls;
import io.holdfast.internal.store.StoreHealth;
import io.holdfast.internal.store.Watches;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.internal.time.Scheduler;
import io.holdfast.internal.time.Ticker;
import io.holdfast.internal.time.Timers;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous heart of one client: a {@link LockQueue} for each name in use, and what they share. It has no threads
 * and no clock of its own, so it runs in simulated time as it does in real.
 */
public final class Engine implements QueueContext {

    private final Identity identity;
    private final Nonces nonces;

    /** The owner of the last claim; the next one is often the same thread's. */
    private volatile Owner lastOwner;

    private final LockStore store;
    private final Capabilities capabilities;
    private final Ticker ticker;
    private final Callbacks callbacks;
    private final LeaseTerms usualTerms;
    private final long timeoutNanos;
    private final Timers timers;
    private final StoreCalls storeCalls;
    private final Listeners listeners;
    private final Events events;
    private final RenewalBatches renewals = new RenewalBatches(this);
    private final Watchdog watchdog = new Watchdog(this);
    private final Releaser releaser = new Releaser(this);
    private final Watches watches = new Watches(this);
    private final HoldCounts holdCounts = new HoldCounts(this);
    private final LostHolds lost = new LostHolds();
    private final Notifications notifications = new Notifications(this);
    private final RetryingCommands commands = new RetryingCommands(this);
    private final InFlightClaims inFlight = new InFlightClaims();
    private final StoreHealth health = new StoreHealth(this);
    private final OutageLog outages = new OutageLog(this);
    private final HandOffPolicy handOffs = new HandOffPolicy();
    private final ContendedNames contended = new ContendedNames();
    private final Latches latches = new Latches(this);
    private final LockQueues queues = new LockQueues(this);
    private final PermitRegistry permits = new PermitRegistry(this);
    private final AtomicLong ids = new AtomicLong();
    private final Subscription unsure;

    private volatile Dependent dependent = Dependent.NONE;
    private volatile boolean closed;

    /** When the store last told of a failover or a restart, if it ever did. */
    private volatile long unsureAt;

    private volatile boolean wasUnsure;

    /** Set while this process may be copied. */
    private volatile boolean paused;

    public Engine(
            Identity identity,
            Nonces nonces,
            LockStore store,
            Duration watchdogLease,
            Duration timeout,
            Ticker ticker,
            Scheduler scheduler,
            Executor callbacks,
            List<LockListener> listeners) {
        this.identity = identity;
        this.nonces = nonces;
        this.lastOwner = new Owner(identity.name(), identity.host(), identity.process(), "");
        this.store = store;
        this.capabilities = new Capabilities(store);
        this.usualTerms = LeaseTerms.watchdog(watchdogLease);
        this.timeoutNanos = timeout.toNanos();
        this.ticker = ticker;
        this.callbacks = new Callbacks(callbacks);
        this.timers = new Timers(ticker, scheduler);
        this.listeners = new Listeners(listeners, this::execute);
        this.storeCalls = new StoreCalls(store, ticker, timers, timeoutNanos, this.listeners);
        this.events = new Events(this, this.listeners);
        this.unsure = store.whenUnsure(this::unsure);
    }

    /**
     * Takes nothing new, fails what waits, gives back what is held. Completes when the store has answered for all of it,
     * or won't.
     */
    public CompletableFuture<Void> close() {
        closed = true;
        return letGo().thenCompose(nothing -> releaser.settled()).whenComplete((nothing, failure) -> {
            watches.close();
            notifications.close();
            unsure.close();
            events.close();
            releaser.close();
        });
    }

    /**
     * Does as {@link #close} does, until {@link #resume}. A copy that is made in between has nothing and asks for nothing, so
     * it shares nothing with other copies; what it asks for later has ids of its own.
     */
    CompletableFuture<Void> pause() {
        paused = true;
        return letGo().thenCompose(nothing -> releaser.idle());
    }

    void resume() {
        paused = false;
    }

    /** Ends that before the engine lets go of what is held. */
    public void setDependent(Dependent dependent) {
        this.dependent = dependent;
    }

    private CompletableFuture<Void> letGo() {
        return dependent
                .beforeLettingGo(closed)
                .thenCompose(nothing -> queues.close())
                .thenCompose(nothing -> CompletableFuture.allOf(inFlight.idle(), commands.idle(), latches.close()));
    }

    /** Time is over: fails what still waits for the store, since no timer will do it any more. */
    void abandon() {
        releaser.abandon(closedException());
        commands.abandon(closedException());
        storeCalls.abandon(closedException());
    }

    /** What a test may count: zero when nothing is held, waited for or being released. */
    public int inUse() {
        return queues.size()
                + releaser.size()
                + notifications.size()
                + latches.size()
                + commands.size()
                + inFlight.size()
                + dependent.inUse();
    }

    /** How many names are watched at the store. */
    public int watched() {
        return watches.size();
    }

    @Override
    public Timers timers() {
        return timers;
    }

    @Override
    public StoreCalls storeCalls() {
        return storeCalls;
    }

    /** The terms of a lock without options. */
    public LeaseTerms usualTerms() {
        return usualTerms;
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    public LockState inspect(Resource resource) {
        return Await.uninterruptibly(inspectAsync(resource));
    }

    public CompletableFuture<LockState> inspectAsync(Resource resource) {
        return askStoreAsync(Command.INSPECT, resource.name(), resource.label(), () -> store.inspect(resource));
    }

    /** What is held and waited for here; asks no store. */
    public ClientSnapshot snapshot() {
        Look look = new Look(now(), Instant.now());
        queues.show(look);
        latches.show(look);
        look.answered();
        Await.uninterruptibly(look.done());
        return new ClientSnapshot(look.at(), look.holds(), look.waiters());
    }

    /** {@link #inspectAsync} with the callers of this client that wait. */
    public CompletableFuture<LockState> inspectHereAsync(Resource resource) {
        return inspectAsync(resource).thenCompose(state -> {
            LockQueue queue = queues.find(resource.type(), resource.name());
            if (queue == null) {
                return CompletableFuture.completedFuture(state);
            }
            Look look = new Look(now(), Instant.now());
            queue.show(look);
            look.answered();
            return look.done().thenApply(done -> state.withLocalWaiters(look.waiters()));
        });
    }

    CompletableFuture<List<LockState>> listAsync(String prefix, int limit) {
        return askStoreAsync(
                Command.LIST, null, "the list of locks", () -> store.list(ResourceType.LOCK, prefix, limit));
    }

    public boolean forceUnlock(String name, OptionalLong token) {
        return Await.uninterruptibly(forceReleaseAsync(Resource.lock(name), token));
    }

    /**
     * Ends what holds the resource, for an operator.
     *
     * @param token empty for all that hold, or the first token of the claim to end
     */
    public CompletableFuture<Boolean> forceReleaseAsync(Resource resource, OptionalLong token) {
        LockQueue queue = queues.find(resource.type(), resource.name());
        if (queue != null) {
            queue.forced(token, true); // so that the loss is no surprise to a holder here
        }
        CompletableFuture<Boolean> ended = askStoreAsync(
                Command.FORCE_RELEASE, resource.name(), resource.label(), () -> store.forceRelease(resource, token));
        if (queue != null) {
            ended.whenComplete((any, failure) -> {
                if (failure == null && any) {
                    queue.verifyHeld();
                } else {
                    queue.forced(token, false);
                }
            });
        }
        return ended;
    }

    <T> T askStore(Command kind, @Nullable String name, String what, Supplier<CompletionStage<T>> command) {
        return Await.uninterruptibly(askStoreAsync(kind, name, what, command));
    }

    private <T> CompletableFuture<T> askStoreAsync(
            Command kind, @Nullable String name, String what, Supplier<CompletionStage<T>> command) {
        return isClosed() ? CompletableFuture.failedFuture(closedException()) : callInTime(kind, name, what, command);
    }

    // ---- for the faces ----------------------------------------------------------------------------------------

    @Nullable
    public Hold holdOf(String name, Mode mode, long ownerId) {
        LockQueue queue = queues.find(ResourceType.LOCK, name);
        return queue == null ? null : queue.ownedBy(mode, ownerId);
    }

    /** Takes up the kept claim of the name; {@code null} if there is none that suits. */
    @Nullable
    public Hold tryTakeUp(String name, LeaseTerms terms) {
        LockQueue queue = queues.find(ResourceType.LOCK, name);
        return queue == null ? null : queue.tryTakeUp(terms);
    }

    public Waiter ask(String name, LockRequest request, LeaseTerms terms, LockOwner owner, long waitNanos) {
        Object context = listeners.isEmpty()
                ? null
                : listeners.requested(new LockEvent.Requested(name, request.mode(), request.permits()));
        Waiter waiter = new Waiter(this, name, request, terms, owner, waitNanos, now(), context);
        enqueue(waiter);
        return waiter;
    }

    @Override
    public void enqueue(Waiter waiter) {
        LockRequest request = waiter.request;
        Throwable refusal =
                isClosed() ? closedException() : capabilities.refusal(request.mode(), request.fair(), waiter.name);
        if (refusal != null) {
            waiter.result.completeExceptionally(refusal);
        }
        if (!waiter.decided()) {
            queues.enqueue(waiter);
        }
    }

    @Override
    public CompletableFuture<Void> withdraw(Waiter waiter, LockEvent.NotGranted.Cause cause) {
        CompletableFuture<Void> known = waiter.result.endWith(cause) ? queues.withdraw(waiter) : null;
        return known == null ? Futures.KNOWN : known;
    }

    @Override
    public void wokeUp(Waiter waiter) {
        queues.wokeUp(waiter);
    }

    @Override
    public CompletableFuture<Void> undo(Hold hold, int left) {
        if (left != 0) {
            return Futures.KNOWN;
        }
        CompletableFuture<Void> released = new CompletableFuture<>();
        lost.forget(hold);
        hold.activeClaim.holder.release(hold, released);
        return released;
    }

    /** The permits that belong to this client rather than to a handle. */
    public PermitRegistry permits() {
        return permits;
    }

    @Override
    public LostHolds lost() {
        return lost;
    }

    // ---- for the queues ---------------------------------------------------------------------------------------

    /** An id that is never used again. */
    public String newId() {
        return id(newNumber(), newNonce());
    }

    @Override
    public long newNumber() {
        return ids.incrementAndGet();
    }

    @Override
    public long newNonce() {
        return nonces.next();
    }

    /** The nonce has the same number of digits always, so the two numbers are one that is unique. */
    @Override
    public String id(long number, long nonce) {
        return identity.id() + ":" + number + nonce;
    }

    @Override
    public String clientId() {
        return identity.id();
    }

    @Override
    public Owner owner(LockOwner asking) {
        String thread = asking.thread();
        Owner known = lastOwner;
        if (!known.thread().equals(thread)) {
            known = new Owner(identity.name(), identity.host(), identity.process(), thread);
            lastOwner = known;
        }
        return known;
    }

    /** The queue of the name, if it is in use. */
    @Nullable
    LockQueue queue(ResourceType type, String name) {
        return queues.find(type, name);
    }

    public Latches latches() {
        return latches;
    }

    @Override
    public void changed(Resource resource) {
        if (resource.type() == ResourceType.LATCH) {
            latches.changed(resource.name());
        } else {
            queues.changed(resource.type(), resource.name());
        }
    }

    @Override
    public void retire(LockQueue queue) {
        queues.retire(queue);
    }

    /** Whether it takes nothing new, for good or while it is paused. */
    @Override
    public boolean isClosed() {
        return closed || paused;
    }

    @Override
    public String whyClosed() {
        return closed ? "its client was closed" : "its process is about to be copied";
    }

    @Override
    public long now() {
        return ticker.nanos();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public boolean grantsOnRelease() {
        return store.traits().grantsOnRelease();
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Listeners listeners() {
        return listeners;
    }

    /** The store may have lost claims. */
    private void unsure() {
        unsureAt = now();
        wasUnsure = true;
        queues.verifyHeld();
    }

    @Override
    public boolean wasUnsureSince(long time) {
        return wasUnsure && unsureAt - time > 0;
    }

    @Override
    public RenewalBatches renewals() {
        return renewals;
    }

    @Override
    public Watchdog watchdog() {
        return watchdog;
    }

    @Override
    public Releaser releaser() {
        return releaser;
    }

    @Override
    public Watches watches() {
        return watches;
    }

    @Override
    public RetryingCommands commands() {
        return commands;
    }

    @Override
    public StoreHealth health() {
        return health;
    }

    @Override
    public OutageLog outages() {
        return outages;
    }

    @Override
    public InFlightClaims inFlight() {
        return inFlight;
    }

    @Override
    public HandOffPolicy handOffs() {
        return handOffs;
    }

    @Override
    public ContendedNames contended() {
        return contended;
    }

    @Override
    public Notifications notifications() {
        return notifications;
    }

    @Override
    public HoldCounts holdCounts() {
        return holdCounts;
    }

    @Override
    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public long jitter(long bound) {
        return Math.floorMod(identity.id().hashCode() * 2_654_435_761L, Math.max(1, bound));
    }

    @Override
    public HoldfastException closedException() {
        return closed
                ? new ClientClosedException("this Holdfast client is closed; make a new one")
                : new StoreUnavailableException(
                        "this process is about to be copied by a checkpoint, and its Holdfast client takes nothing until it is"
                                + " restored");
    }

    // ---- callbacks --------------------------------------------------------------------------------------------

    @Override
    public void callBack(Runnable action) {
        callbacks.onLoss(action);
    }

    /** Runs that when all loss callbacks have run. */
    void whenLossesAreTold(Runnable action) {
        callbacks.whenLossesAreTold(action);
    }

    /** True if the hold is one of this client's. */
    public boolean owns(Hold hold) {
        return hold.activeClaim.holder.engine() == this;
    }

    @Override
    public <T> CompletableFuture<T> onCallbackExecutor(CompletableFuture<T> future) {
        return callbacks.continued(future);
    }

    @Override
    public void execute(Runnable task) {
        callbacks.execute(task);
    }
}
