package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What {@link WithLock} does, in code. Immutable: each setting gives another template.
 *
 * <pre>{@code
 * LockTemplate locks = new LockTemplate(holdfast).waitAtMost(Duration.ofSeconds(5));
 * locks.execute("order:" + id, lease -> orders.save(order, lease.token()));
 * }</pre>
 *
 * <p>By default it waits for as long as it takes, the watchdog keeps the lock, and a loss is thrown. In a transaction that has
 * already begun, the lock is held until that has completed ({@link InTransaction#HOLD}).
 */
public final class LockTemplate {

    private final Holdfast holdfast;
    private final LockKind kind;
    private final int capacity;
    private final int permits;
    private final LockSettings settings;

    /** A template for plain locks of that client. */
    public LockTemplate(Holdfast holdfast) {
        this(Objects.requireNonNull(holdfast), LockKind.PLAIN, 0, 1, LockSettings.defaults());
    }

    private LockTemplate(Holdfast holdfast, LockKind kind, int capacity, int permits, LockSettings settings) {
        this.holdfast = holdfast;
        this.kind = kind;
        this.capacity = capacity;
        this.permits = permits;
        this.settings = settings;
    }

    // ---- settings ---------------------------------------------------------------------------------------------

    /** {@link WithLock#kind()}; for permits see {@link #semaphore}. */
    public LockTemplate kind(LockKind kind) {
        if (kind == LockKind.SEMAPHORE) {
            throw new IllegalArgumentException(
                    "a semaphore needs a capacity: call semaphore(capacity, permits) instead");
        }
        return new LockTemplate(holdfast, kind, 0, 1, settings);
    }

    /** Takes permits of a semaphore instead of a lock. */
    public LockTemplate semaphore(int capacity, int permits) {
        checkPermits(capacity, permits);
        return new LockTemplate(holdfast, LockKind.SEMAPHORE, capacity, permits, settings);
    }

    static void checkPermits(int capacity, int permits) {
        if (capacity < 1 || permits < 1 || permits > capacity) {
            throw new IllegalArgumentException(
                    "a semaphore needs a capacity of at least 1, and at least 1 permit and at most as"
                            + " many as that for each call; these are a capacity of " + capacity + " and " + permits
                            + " permits");
        }
    }

    /** {@link WithLock#waitAtMost()}. */
    public LockTemplate waitAtMost(Duration wait) {
        return with(settings.waitAtMost(Objects.requireNonNull(wait)));
    }

    /** {@link WithLock#lease()}. */
    public LockTemplate lease(Duration lease) {
        return with(settings.lease(Objects.requireNonNull(lease)));
    }

    /** {@link WithLock#onBusy()}. */
    public LockTemplate onBusy(OnBusy onBusy) {
        return with(settings.onBusy(Objects.requireNonNull(onBusy)));
    }

    /** {@link WithLock#atLeast()}. */
    public LockTemplate atLeast(Duration atLeast) {
        return with(settings.atLeast(Objects.requireNonNull(atLeast)));
    }

    /** {@link WithLock#onLost()}. */
    public LockTemplate onLost(OnLost onLost) {
        return with(settings.onLost(Objects.requireNonNull(onLost)));
    }

    /** What happens in a transaction that has already begun. */
    public LockTemplate inTransaction(InTransaction inTransaction) {
        return with(settings.inTransaction(Objects.requireNonNull(inTransaction)));
    }

    private LockTemplate with(LockSettings other) {
        return new LockTemplate(holdfast, kind, capacity, permits, other);
    }

    // ---- execution --------------------------------------------------------------------------------------------

    /**
     * Runs the action while it holds the lock of that name.
     *
     * @return what the action returns, or {@code null} if it was {@linkplain OnBusy#SKIP skipped}
     * @throws LockBusyException if the lock was not free in time
     * @throws io.holdfast.LeaseLostException if the lock was lost before the action had ended
     * @throws io.holdfast.HoldfastException if the store failed, or the thread was interrupted while it waited; the action was not run
     * @throws E what the action throws
     */
    public <T, E extends Throwable> @Nullable T execute(String name, LockedAction<T, E> action) throws E {
        return execute(List.of(name), action);
    }

    /** Runs the action while it holds the locks of all these names: all of them or none. */
    public <T, E extends Throwable> @Nullable T execute(List<String> names, LockedAction<T, E> action) throws E {
        return LockedCall.run(targets(names), settings, action, () -> null);
    }

    /**
     * Runs the action, on the callback executor of the client, once the lock is granted, and holds the lock until the stage that the
     * action returns has completed. The calling thread does not wait. The result is {@code null} if the action was skipped; it fails as
     * {@link #execute(String, LockedAction)} does. Cancelling it before the action runs gives up waiting.
     */
    public <T, E extends Throwable> CompletableFuture<@Nullable T> executeAsync(
            String name, LockedAction<? extends CompletionStage<T>, E> action) {
        return executeAsync(List.of(name), action);
    }

    /** {@link #executeAsync(String, LockedAction)} with several locks. */
    public <T, E extends Throwable> CompletableFuture<@Nullable T> executeAsync(
            List<String> names, LockedAction<? extends CompletionStage<T>, E> action) {
        if (settings.ownedByCall()) {
            throw new IllegalStateException("atLeast is for actions that return when their work is done: use execute");
        }
        return StageCall.run(targets(names), settings, action, () -> null);
    }

    private List<LockTarget> targets(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("at least one name is needed");
        }
        if (names.size() > 1 && kind == LockKind.SEMAPHORE) {
            throw new IllegalArgumentException("permits of several semaphores can't be taken at once");
        }
        return LockTarget.distinct(names.stream()
                .map(name -> new LockTarget(holdfast, kind, Objects.requireNonNull(name), capacity, permits))
                .toList());
    }

    /**
     * The lease that the current thread runs under, by this class or by {@link WithLock}: for its
     * {@linkplain Lease#token() fencing token}. Empty outside, and in what a body hands to other threads.
     */
    public static Optional<Lease> currentLease() {
        return Optional.ofNullable(LockScope.current());
    }
}
