package io.holdfast.internal.lock;

import io.holdfast.Claimant;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LockState;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.Limits;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.claim.HeldLease;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.PendingRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.Futures;
import io.holdfast.internal.time.LeaseTerms;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A semaphore as callers see it. Each acquisition is a claim of its own. */
final class Semaphore implements DistributedSemaphore {

    private final Engine engine;
    private final String name;
    private final int capacity;
    private final boolean fair;
    private final LeaseTerms watchdog;

    Semaphore(Engine engine, String name, int capacity, boolean fair, LeaseTerms watchdog) {
        this.engine = engine;
        this.name = name;
        this.capacity = capacity;
        this.fair = fair;
        this.watchdog = watchdog;
    }

    @Override
    public String getName() {
        return name;
    }

    private PendingRequest ask(int permits, LeaseTerms terms, long waitNanos, boolean barging) {
        LockRequest request = LockRequest.permits(fair && !barging, Limits.permits(permits), capacity);
        return engine.ask(name, request, terms, LockOwner.ofHandle(), waitNanos);
    }

    // ---- held by this client ----------------------------------------------------------------------------------

    @Override
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    @Override
    public void acquire(int permits) throws InterruptedException {
        take(permits, watchdog, Waiter.FOREVER);
    }

    @Override
    public void acquire(int permits, Duration lease) throws InterruptedException {
        take(permits, LockFace.terms(lease), Waiter.FOREVER);
    }

    @Override
    public void acquireUninterruptibly(int permits) {
        if (permits == 0) {
            return;
        }
        keep(ask(permits, watchdog, Waiter.FOREVER, false).await());
    }

    @Override
    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public boolean tryAcquire(int permits) {
        return permits == 0 || keep(ask(permits, watchdog, 0, true).await());
    }

    @Override
    public boolean tryAcquire(long wait, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, wait, unit);
    }

    @Override
    public boolean tryAcquire(Duration wait) throws InterruptedException {
        return take(1, watchdog, LockFace.waitNanos(wait));
    }

    @Override
    public boolean tryAcquire(int permits, long wait, TimeUnit unit) throws InterruptedException {
        return take(permits, watchdog, LockFace.waitNanos(wait, unit));
    }

    @Override
    public boolean tryAcquire(int permits, Duration wait, Duration lease) throws InterruptedException {
        return take(permits, LockFace.terms(lease), LockFace.waitNanos(wait));
    }

    private boolean take(int permits, LeaseTerms terms, long waitNanos) throws InterruptedException {
        if (permits == 0 && !Thread.interrupted()) {
            return true;
        } else if (permits == 0) {
            throw new InterruptedException();
        }
        return keep(wait(permits, terms, waitNanos));
    }

    private @Nullable HeldLease wait(int permits, LeaseTerms terms, long waitNanos) throws InterruptedException {
        Limits.permits(permits);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return ask(permits, terms, waitNanos, false).awaitInterruptibly();
    }

    /** What this client has from now on, if it was had. */
    private boolean keep(@Nullable HeldLease had) {
        if (had instanceof Hold hold) {
            engine.permits().keep(hold);
        }
        return had != null;
    }

    @Override
    public CompletableFuture<Void> acquireAsync(int permits) {
        return acquireAsync(permits, watchdog);
    }

    @Override
    public CompletableFuture<Void> acquireAsync(int permits, Duration lease) {
        return acquireAsync(permits, LockFace.terms(lease));
    }

    private CompletableFuture<Void> acquireAsync(int permits, LeaseTerms terms) {
        if (permits == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return ask(permits, terms, Waiter.FOREVER, false).future(engine, held -> {
            keep(held);
            return null;
        });
    }

    @Override
    public CompletableFuture<Boolean> tryAcquireAsync(int permits) {
        return tryAcquireAsync(permits, watchdog, 0, true);
    }

    @Override
    public CompletableFuture<Boolean> tryAcquireAsync(int permits, Duration wait) {
        return tryAcquireAsync(permits, watchdog, LockFace.waitNanos(wait), false);
    }

    @Override
    public CompletableFuture<Boolean> tryAcquireAsync(int permits, Duration wait, Duration lease) {
        return tryAcquireAsync(permits, LockFace.terms(lease), LockFace.waitNanos(wait), false);
    }

    private CompletableFuture<Boolean> tryAcquireAsync(int permits, LeaseTerms terms, long waitNanos, boolean barging) {
        return permits == 0
                ? CompletableFuture.completedFuture(true)
                : ask(permits, terms, waitNanos, barging).future(engine, this::keep);
    }

    @Override
    public void release() {
        release(1);
    }

    @Override
    public void release(int permits) {
        Await.uninterruptibly(giveBack(permits));
    }

    @Override
    public CompletableFuture<Void> releaseAsync(int permits) {
        try {
            return engine.onCallbackExecutor(giveBack(permits));
        } catch (IllegalMonitorStateException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> giveBack(int permits) {
        return permits == 0 ? Futures.KNOWN : engine.permits().release(name, Limits.permits(permits));
    }

    @Override
    public int drainPermits() {
        for (int i = 0;
                i < Tuning.DRAIN_ATTEMPTS;
                i++) { // each that fails does so because another caller took one meanwhile
            int free = availablePermits();
            if (free <= 0) {
                return 0;
            }
            try {
                if (tryAcquire(free)) {
                    return free;
                }
            } catch (StoreRefusedException e) {
                if (free <= getPermits()) {
                    throw e;
                } // otherwise the number was reduced in between
            }
        }
        return 0;
    }

    // ---- held by a handle -------------------------------------------------------------------------------------

    @Override
    public Lease acquireLease(int permits) throws InterruptedException {
        return Objects.requireNonNull(wait(permits, watchdog, Waiter.FOREVER));
    }

    @Override
    public Lease acquireLease(int permits, Duration lease) throws InterruptedException {
        return Objects.requireNonNull(wait(permits, LockFace.terms(lease), Waiter.FOREVER));
    }

    @Override
    public Optional<Lease> tryAcquireLease(int permits, Duration wait) throws InterruptedException {
        return Optional.ofNullable(wait(permits, watchdog, LockFace.waitNanos(wait)));
    }

    @Override
    public Optional<Lease> tryAcquireLease(int permits, Duration wait, Duration lease) throws InterruptedException {
        return Optional.ofNullable(wait(permits, LockFace.terms(lease), LockFace.waitNanos(wait)));
    }

    @Override
    public CompletableFuture<Lease> acquireLeaseAsync(int permits) {
        return ask(permits, watchdog, Waiter.FOREVER, false).future(engine, Objects::requireNonNull);
    }

    @Override
    public CompletableFuture<Lease> acquireLeaseAsync(int permits, Duration lease) {
        return ask(permits, LockFace.terms(lease), Waiter.FOREVER, false).future(engine, Objects::requireNonNull);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireLeaseAsync(int permits, Duration wait, Duration lease) {
        return ask(permits, LockFace.terms(lease), LockFace.waitNanos(wait), false)
                .future(engine, Optional::ofNullable);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireLeaseAsync(int permits, Duration wait) {
        return ask(permits, watchdog, LockFace.waitNanos(wait), false).future(engine, Optional::ofNullable);
    }

    @Override
    public void release(Lease lease, int permits) {
        Limits.permits(permits);
        if (!(lease instanceof Hold hold)
                || hold.activeClaim.mode() != Mode.PERMITS
                || !hold.name().equals(name)
                || !engine.owns(hold)) {
            throw new IllegalArgumentException(
                    "the permits of " + label() + " are given back by a lease that it gave, not by " + lease);
        }
        Await.uninterruptibly(engine.permits().release(hold, permits));
    }

    // ---- whoever holds them -----------------------------------------------------------------------------------

    @Override
    public boolean tryRelease(long token) {
        return Await.uninterruptibly(force(token));
    }

    @Override
    public CompletableFuture<Boolean> tryReleaseAsync(long token) {
        return engine.onCallbackExecutor(force(token));
    }

    private CompletableFuture<Boolean> force(long token) {
        engine.capabilities().semaphores(name);
        return engine.forceReleaseAsync(Resource.semaphore(name), OptionalLong.of(token));
    }

    // ---- how many there are -----------------------------------------------------------------------------------

    @Override
    public int availablePermits() {
        return Await.uninterruptibly(available());
    }

    @Override
    public CompletableFuture<Integer> availablePermitsAsync() {
        return engine.onCallbackExecutor(available());
    }

    private CompletableFuture<Integer> available() {
        return look().thenApply(state -> state.permits() - acquired(state));
    }

    @Override
    public int acquiredPermits() {
        return acquired(inspect());
    }

    @Override
    public CompletableFuture<Integer> acquiredPermitsAsync() {
        return engine.onCallbackExecutor(look().thenApply(Semaphore::acquired));
    }

    private static int acquired(LockState state) {
        return state.holders().stream().mapToInt(Claimant::permits).sum();
    }

    @Override
    public int getPermits() {
        return inspect().permits();
    }

    @Override
    public CompletableFuture<Integer> getPermitsAsync() {
        return engine.onCallbackExecutor(look().thenApply(LockState::permits));
    }

    @Override
    public int addPermits(int permits) {
        return Await.uninterruptibly(add(permits));
    }

    @Override
    public CompletableFuture<Integer> addPermitsAsync(int permits) {
        return engine.onCallbackExecutor(add(permits));
    }

    private CompletableFuture<Integer> add(int permits) {
        String id = engine.newId();
        return engine.commands()
                .send(
                        Command.ADD_PERMITS,
                        name,
                        label(),
                        () -> engine.capabilities().semaphores(name).addPermits(name, id, permits, capacity))
                .answer();
    }

    @Override
    public LockState inspect() {
        return Await.uninterruptibly(look());
    }

    @Override
    public CompletableFuture<LockState> inspectAsync() {
        return engine.onCallbackExecutor(look());
    }

    private CompletableFuture<LockState> look() {
        engine.capabilities().semaphores(name);
        return engine.inspectHereAsync(Resource.semaphore(name))
                .thenApply(state -> state.permits() < 0
                        ? new LockState(name, capacity, state.holders(), state.waiters(), state.localWaiters())
                        : state);
    }

    private String label() {
        return Messages.label(ResourceType.SEMAPHORE, name);
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + Messages.line(name) + (fair ? ", fair" : "") + "]";
    }
}
