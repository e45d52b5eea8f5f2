package io.holdfast.internal.engine;

import io.holdfast.Guarantee;
import io.holdfast.LockListener;
import io.holdfast.LockState;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Limits;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.time.Ticker;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine in the real world: with threads, the machine's clock, and an end. */
public final class Client {

    private static final Logger log = LoggerFactory.getLogger(Client.class);

    /** What is looked at to see whether the store answers. */
    private static final String VERIFIED = "holdfast.verify";

    private final Identity identity;
    private final LockStore store;
    private final Engine engine;
    private final Duration timeout;
    private final ScheduledThreadPoolExecutor timer;
    private final @Nullable ExecutorService ownCallbacks;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Kept because the runtime refers to it weakly. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final @Nullable Object checkpointHook;

    private Client(
            Identity identity,
            LockStore store,
            Duration lease,
            Duration timeout,
            @Nullable Executor executor,
            List<LockListener> listeners,
            Ticker ticker,
            @Nullable ScheduledThreadPoolExecutor timer) {
        this.identity = identity;
        this.store = store;
        this.timeout = timeout;
        String shortId = identity.id().substring(0, 8);
        this.timer = timer == null ? Threads.timer(shortId) : timer;
        Executor callbacks = executor;
        if (callbacks == null) {
            ownCallbacks = Threads.callbacks(shortId);
            callbacks = ownCallbacks;
        } else {
            ownCallbacks = null;
        }
        this.engine = new Engine(
                identity, new SystemNonces(), store, lease, timeout, ticker, this::schedule, callbacks, listeners);
        this.checkpointHook = CheckpointHook.register(this::beforeCheckpoint, engine::resume);
    }

    /**
     * Makes a client that is ready to use.
     *
     * @param timer goes by the ticker and is shut down with the client; {@code null} for one by the machine's clock
     */
    public static Client start(
            String id,
            String name,
            LockStore store,
            Duration lease,
            Duration timeout,
            @Nullable Executor executor,
            List<LockListener> listeners,
            Ticker ticker,
            @Nullable ScheduledThreadPoolExecutor timer) {
        Client client =
                new Client(Identity.ofThisProcess(id, name), store, lease, timeout, executor, listeners, ticker, timer);
        log.info(
                "Holdfast client {} is set up for {} and has not connected yet; guarantee as configured: {}",
                Messages.line(name),
                Messages.line(store.description()),
                store.traits().guarantee());
        return client;
    }

    /** Asks the store for something, and closes this client if there is no good answer. */
    public void verify() {
        try {
            engine.askStore(Command.INSPECT, null, "verifying the store", () -> store.inspect(Resource.lock(VERIFIED)));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        log.info(
                "Holdfast client {} has reached {}",
                Messages.line(identity.name()),
                Messages.line(store.description()));
    }

    public Engine engine() {
        return engine;
    }

    public LockState inspect(String name) {
        return Await.uninterruptibly(engine.inspectHereAsync(Resource.lock(Limits.name(name))));
    }

    public List<LockState> list(String prefix) {
        return sorted(Await.uninterruptibly(engine.listAsync(Limits.prefix(prefix), Tuning.LISTED_LOCKS)));
    }

    public CompletableFuture<LockState> inspectAsync(String name) {
        return engine.onCallbackExecutor(engine.inspectHereAsync(Resource.lock(Limits.name(name))));
    }

    public CompletableFuture<List<LockState>> listAsync(String prefix) {
        return engine.onCallbackExecutor(
                engine.listAsync(Limits.prefix(prefix), Tuning.LISTED_LOCKS).thenApply(Client::sorted));
    }

    private static List<LockState> sorted(List<LockState> states) {
        return states.stream().sorted(Comparator.comparing(LockState::name)).toList();
    }

    public boolean forceUnlock(String name, OptionalLong token) {
        return engine.forceUnlock(Limits.name(name), token);
    }

    public void raiseTokens(long above) {
        long token = Limits.token(above);
        engine.askStore(Command.RAISE_TOKENS, null, "raising the tokens", () -> store.raiseTokens(token));
        log.info("Tokens of {} are above {} from now on", Messages.line(store.description()), token);
    }

    public Guarantee guarantee() {
        return store.traits().guarantee();
    }

    public String id() {
        return identity.id();
    }

    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            engine.close()
                    .completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
        } catch (CompletionException e) {
            log.warn("Not everything could be given back on closing; it ends by its lease: {}", e.toString());
        } finally {
            timer.shutdownNow();
            engine.abandon();
            try {
                store.close();
            } finally {
                if (ownCallbacks != null) {
                    engine.whenLossesAreTold(ownCallbacks::shutdown);
                }
            }
        }
    }

    /** Gives back everything, since a copy of a holder would be another holder. */
    private void beforeCheckpoint() {
        if (closed.get()) {
            return;
        }
        log.info("{} gives back what it has, as its process is about to be copied", this);
        CompletableFuture<Void> over = engine.pause();
        try {
            over.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).join();
        } catch (CompletionException e) {
            engine.resume();
            throw new StoreUnavailableException(
                    "this process can't be copied now: not everything could be given back to " + store.description(),
                    e);
        }
    }

    private void schedule(Runnable task, long delayNanos) {
        try {
            timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("A timer after the client was closed");
        }
    }

    @Override
    public String toString() {
        return identity.name() + " on " + store.description();
    }
}
