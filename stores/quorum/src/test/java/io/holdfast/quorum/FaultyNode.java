package io.holdfast.quorum;

import io.holdfast.LockState;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.LockStoreProvider;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.StoreConfig;
import io.holdfast.tck.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** One client's way to an in-memory node, with something wrong with it. */
final class FaultyNode extends ForwardingStore {

    enum Fault {
        /** It answers at once. */
        NONE,
        /** Nothing is run, and that is noticed. */
        DOWN,
        /** Everything is run, when {@link #resume} is called. */
        HUNG,
        /** Everything is run and answered, later. */
        SLOW,
        /** Everything is run, and every third answer is lost. */
        LOSSY,
        /** One more command is run and answered; then it is down. */
        ANSWERS_ONCE,
        /** Claims are told to wait and nothing is done about them, as a server does for a while after a restart. */
        HOLDS_BACK
    }

    /** The JDK's own delayed executor may start a thread for each answer, and be seconds late where there are many. */
    private static final ScheduledExecutorService LATER = Executors.newScheduledThreadPool(4, task -> {
        Thread thread = new Thread(task, "slow-node");
        thread.setDaemon(true);
        return thread;
    });

    private final AtomicInteger commands = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();
    private final List<Runnable> held = new ArrayList<>();
    private volatile Fault fault = Fault.NONE;

    FaultyNode(String name) {
        super(memory(name));
    }

    /** What is in it, past all faults. */
    static LockStore memory(String name) {
        return ServiceLoader.load(LockStoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.serves("memory"))
                .findFirst()
                .orElseThrow()
                .open("memory:" + name, new StoreConfig("node", Duration.ofSeconds(5)));
    }

    FaultyNode with(Fault fault) {
        this.fault = fault;
        return this;
    }

    void resume() {
        fault = Fault.NONE;
        List<Runnable> all;
        synchronized (held) {
            all = List.copyOf(held);
            held.clear();
        }
        all.forEach(Runnable::run);
    }

    /** Runs what it is given so many milliseconds later. */
    static Executor after(long millis) {
        return task -> LATER.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /** How many commands were sent to it. */
    int commands() {
        return commands.get();
    }

    private <T> CompletionStage<T> sent(Supplier<CompletionStage<T>> command) {
        commands.incrementAndGet();
        return switch (fault) {
            case NONE, HOLDS_BACK -> command.get();
            case DOWN -> CompletableFuture.failedFuture(new StoreUnavailableException(description() + " is down"));
            case SLOW -> command.get().thenApplyAsync(answer -> answer, after(answers.incrementAndGet() % 30));
            case LOSSY ->
                command.get()
                        .thenCompose(answer -> answers.incrementAndGet() % 3 == 0
                                ? CompletableFuture.failedFuture(new StoreUnavailableException("lost on purpose"))
                                : CompletableFuture.completedFuture(answer));
            case ANSWERS_ONCE -> {
                fault = Fault.DOWN;
                yield command.get();
            }
            case HUNG -> {
                CompletableFuture<T> answer = new CompletableFuture<>();
                synchronized (held) {
                    held.add(() -> command.get().thenAccept(answer::complete));
                }
                yield answer;
            }
        };
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return fault == Fault.HOLDS_BACK
                ? CompletableFuture.completedFuture(new ClaimResult.Busy(Duration.ofMinutes(1)))
                : sent(() -> super.claim(claim));
    }

    @Override
    public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        return sent(() -> super.renew(claims));
    }

    @Override
    public CompletionStage<ReleaseResult> release(Claim claim) {
        return sent(() -> super.release(claim));
    }

    @Override
    public CompletionStage<LockState> inspect(Resource resource) {
        return sent(() -> super.inspect(resource));
    }

    @Override
    public CompletionStage<List<LockState>> list(ResourceType kind, String prefix, int limit) {
        return sent(() -> super.list(kind, prefix, limit));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(Resource resource, OptionalLong token) {
        return sent(() -> super.forceRelease(resource, token));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long above) {
        return sent(() -> super.raiseTokens(above));
    }
}
