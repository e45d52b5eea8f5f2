package io.holdfast.reactor;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A semaphore for Reactor, with permits that belong to a {@link Lease}. All that {@link ReactiveLock} says holds here, too. */
public final class ReactiveSemaphore {

    private final DistributedSemaphore semaphore;

    private ReactiveSemaphore(DistributedSemaphore semaphore) {
        this.semaphore = semaphore;
    }

    public static ReactiveSemaphore of(DistributedSemaphore semaphore) {
        return new ReactiveSemaphore(Objects.requireNonNull(semaphore, "the semaphore must not be null"));
    }

    public String name() {
        return semaphore.getName();
    }

    /** Waits for that many permits. Cancelling the subscription leaves nothing; see {@link ReactiveLock#acquire()}. */
    public Mono<Lease> acquire(int permits) {
        return new LeaseMono<>(() -> semaphore.acquireLeaseAsync(permits), Optional::of);
    }

    /** {@link #acquire} for that long at most; empty if the permits were not had. Zero or less asks once. */
    public Mono<Lease> tryAcquire(int permits, Duration wait) {
        Objects.requireNonNull(wait, "the time to wait must not be null");
        return new LeaseMono<>(() -> semaphore.tryAcquireLeaseAsync(permits, wait), Function.identity());
    }

    /**
     * Runs the body with that many permits, which are given back when it completes, fails or is cancelled. When they are lost, the body is
     * cancelled, and the Mono fails with {@link LeaseLostException}; see {@link ReactiveLock#withLock(Mono)}.
     */
    public <T> Mono<T> withPermits(int permits, Mono<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.mono(acquire(permits), lease -> body);
    }

    /** {@link #withPermits(int, Mono)} for a Flux. */
    public <T> Flux<T> withPermits(int permits, Flux<T> body) {
        Objects.requireNonNull(body, "the body must not be null");
        return Guarded.flux(acquire(permits), lease -> body);
    }

    @Override
    public String toString() {
        return "ReactiveSemaphore[" + semaphore + "]";
    }
}
