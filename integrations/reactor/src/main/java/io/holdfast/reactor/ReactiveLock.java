package io.holdfast.reactor;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A lock for Reactor: any {@link DistributedLock}, plain, fair, read, write or several as one.
 *
 * <pre>{@code
 * ReactiveLock lock = ReactiveLock.of(holdfast.lock("orders:42"));
 * Mono<Receipt> receipt = lock.withLock(orders.pay(42));
 * }</pre>
 *
 * <p>Nothing happens before a subscription, each of which takes the lock for itself: what is held belongs to a {@link Lease}, not to a
 * thread, so two subscriptions exclude each other on one thread as on two, and a lock is not entered again inside itself. No method and no subscription
 * blocks. The context of the subscriber is that of the body. Signals come on the client's callback executor; use {@code publishOn}
 * where that matters.
 */
public final class ReactiveLock {

    private final DistributedLock lock;

    private ReactiveLock(DistributedLock lock) {
        this.lock = lock;
    }

    public static ReactiveLock of(DistributedLock lock) {
        return new ReactiveLock(Objects.requireNonNull(lock, "the lock must not be null"));
    }

    public String name() {
        return lock.getName();
    }

    /**
     * Waits for the lock. Cancelling the subscription leaves nothing: no lock and no place in the queue. With {@code onNext} the lease is the
     * subscriber's to close. An operator further down that drops it, as {@code timeout} or {@code publishOn} may when it is cancelled, drops the
     * lock until its lease ends or the client is closed: prefer {@link #withLock(Mono)}, which can't.
     */
    public Mono<Lease> acquire() {
        return new LeaseMono<>(lock::acquireAsync, Optional::of);
    }

    /** {@link #acquire()} for that long at most; empty if the lock was not had. Zero or less asks once. */
    public Mono<Lease> tryAcquire(Duration wait) {
        Objects.requireNonNull(wait, "the time to wait must not be null");
        return new LeaseMono<>(() -> lock.tryAcquireAsync(wait), Function.identity());
    }

    /**
     * Runs the body under the lock, which is given back when the body completes, fails or is cancelled. When the lease is lost, the body is
     * cancelled and the Mono fails with {@link LeaseLostException}. What the body emits is passed on when the lock is given back: if the lock was lost
     * before that, or the store did not confirm, the Mono fails as {@link Lease#close()} does. If the body fails, its failure is
     * passed on.
     */
    public <T> Mono<T> withLock(Mono<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.mono(acquire(), lease -> body);
    }

    /** {@link #withLock(Mono)} for a Flux: it emits while the lock is held, and completes when the lock is given back. */
    public <T> Flux<T> withLock(Flux<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.flux(acquire(), lease -> body);
    }

    /** {@link #withLock(Mono)} if the lock is had within that time; otherwise empty, and the body is not subscribed to. */
    public <T> Mono<T> tryWithLock(Duration wait, Mono<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.mono(tryAcquire(wait), lease -> body);
    }

    /** {@link #withLock(Flux)} if the lock is had within that time; otherwise empty, and the body is not subscribed to. */
    public <T> Flux<T> tryWithLock(Duration wait, Flux<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.flux(tryAcquire(wait), lease -> body);
    }

    @Override
    public String toString() {
        return "ReactiveLock[" + lock + "]";
    }
}
