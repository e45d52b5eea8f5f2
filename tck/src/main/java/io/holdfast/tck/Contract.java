package io.holdfast.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the parts of the contract have in common. Several clients in one test stand for several processes. Whatever a
 * test opens is closed after it, and every test has names of its own, so tests can share a server and may run at the same
 * time.
 *
 * <p>A test runs in a thread of its own, because a lock that is broken may hang where no interrupt reaches it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
public abstract class Contract {

    /** A lease whose end is waited for: as short as a loaded machine lets it be without ending too early. */
    static final Duration SHORT = Duration.ofSeconds(2);

    /** A lease that renewals have to keep. It is lost only where everything stands still for two thirds of it. */
    static final Duration KEPT = Duration.ofSeconds(6);

    /** Longer than {@link #KEPT} lasts unless it is renewed. */
    static final Duration OUTLASTING = KEPT.plusSeconds(1);

    /** A waiter that is not told looks again a second after it asked: one that is served sooner was told. */
    static final Duration SOONER_THAN_A_LOOK = Duration.ofMillis(900);

    /** How late something may be on a loaded machine whose time is the point. */
    static final Duration SLACK = Duration.ofSeconds(5);

    /** A lease that no test outlives. */
    static final Duration LONG = Duration.ofSeconds(60);

    /** The most that anything may take that should not take long. */
    static final Duration SOON = Duration.ofSeconds(10);

    /** The most that many turns of many threads may take. */
    static final Duration WORK = Duration.ofSeconds(40);

    @RegisterExtension
    static final InvocationInterceptor PACE = new Pace.OfTheTest();

    private final String prefix = "tck:" + UUID.randomUUID();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Pace pace = Pace.real();

    /** The store under test. */
    protected abstract StoreBinding store();

    @BeforeEach
    final void choosePace(TestInfo test) {
        if (test.getTestMethod().orElseThrow().isAnnotationPresent(Simulated.class)
                || test.getTestClass().orElseThrow().isAnnotationPresent(Simulated.class)) {
            store().simulatedTime().ifPresent(time -> pace = Pace.of(time));
        }
    }

    final Pace pace() {
        return pace;
    }

    /** A name that no other test uses. */
    final String name() {
        return name("lock");
    }

    /** A name that no other test uses. */
    final String name(String suffix) {
        return prefix + ":" + suffix;
    }

    /** A client whose watchdog never runs out in a test. */
    final Holdfast client() {
        return client(LONG);
    }

    /** A client whose watchdog gives this lease. */
    final Holdfast client(Duration lease) {
        return client(builder -> builder.lease(lease));
    }

    final Holdfast client(UnaryOperator<Holdfast.Builder> settings) {
        SimulatedTime time = pace.simulated();
        return opened(settings.apply(time == null ? store().newClient() : time.newClient())
                .build());
    }

    /** A client of a store that does something to what passes through it. */
    final Holdfast client(LockStore store, Duration lease) {
        SimulatedTime time = pace.simulated();
        Holdfast.Builder builder = time == null ? Holdfast.builder().store(store) : time.newClient(store);
        return opened(builder.lease(lease).build());
    }

    /** A lease that is meant to run out, and long enough to be granted before it does. */
    final Duration passingLease() {
        return store().briefLease().multipliedBy(10);
    }

    /**
     * A store that is connected. On a busy machine a first connection may be given up for another, and a command with it: the
     * engine asks again then, which a test of the store alone does not.
     */
    final LockStore openStore() {
        LockStore store = opened(newStore());
        long deadline = System.nanoTime() + SOON.toNanos();
        while (true) {
            try {
                store.inspect(Resource.lock(name("connected")))
                        .toCompletableFuture()
                        .copy()
                        .orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
                return store;
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof StoreUnavailableException) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }

    /** The store; the caller closes it. */
    final LockStore newStore() {
        SimulatedTime time = pace.simulated();
        return time == null ? store().newStore() : time.newStore();
    }

    /** Leaves a test out where the store refuses what it is about, which {@link RefusalContract} has it do. */
    final void needs(Class<?> capability) {
        try (LockStore store = store().newStore()) {
            assumeTrue(store.capability(capability) != null, "this store is no " + capability.getSimpleName());
        }
    }

    /** What the store can do beyond the mandatory part. */
    static <T> T with(LockStore store, Class<T> capability) {
        return Objects.requireNonNull(store.capability(capability));
    }

    final Actor actor(String name) {
        Actor actor = new Actor(name, pace);
        pace.joins(actor);
        return opened(actor);
    }

    final <T extends AutoCloseable> T opened(T resource) {
        synchronized (opened) {
            opened.push(resource);
        }
        return resource;
    }

    @AfterEach
    final void closeWhatWasOpened() throws Exception {
        @Nullable Exception failure = null;
        while (true) {
            AutoCloseable resource;
            synchronized (opened) {
                if (opened.isEmpty()) {
                    break;
                }
                resource = opened.pop();
            }
            try {
                resource.close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The result of something that must not take long; what it failed with is thrown as it is. */
    static <T extends @Nullable Object> T await(Future<T> future) throws Exception {
        return await(future, SOON);
    }

    /** Waits for the end of work, which is long on a loaded machine. */
    static void awaitAll(Collection<? extends Future<?>> all) throws Exception {
        for (Future<?> one : all) {
            await(one, WORK);
        }
    }

    private static <T extends @Nullable Object> T await(Future<T> future, Duration limit) throws Exception {
        Pace pace = Pace.current();
        try {
            if (pace.simulated() == null) {
                return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            }
            Pace.Patience patience = pace.patience(limit);
            while (!future.isDone() && !patience.isOver()) {
                patience.more();
            }
            return future.get(0, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("still not done after " + limit.toMillis() + " ms", e);
        }
    }

    /** The monotonic clock of the test. */
    static long now() {
        return Pace.current().nanos();
    }

    /** How long it is since that moment of the monotonic clock. */
    static Duration since(long nanoTime) {
        return Duration.ofNanos(now() - nanoTime);
    }

    /** Lets that much time pass. */
    static void pass(Duration time) throws InterruptedException {
        Pace.current().pass(time);
    }
}
