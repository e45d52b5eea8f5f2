package io.holdfast.internal.engine;

import io.holdfast.internal.claim.ClaimContext;
import io.holdfast.internal.claim.Hold;
import io.holdfast.spi.Messages;
import io.holdfast.spi.ResourceType;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The permits that belong to this client rather than to a handle, by semaphore. */
public final class PermitRegistry {

    private final ClaimContext engine;
    private final Map<String, ClientPermits> permits = new ConcurrentHashMap<>();

    /** Held while the permits of a handle are counted and become fewer. */
    private final ReentrantLock lock = new ReentrantLock();

    PermitRegistry(ClaimContext engine) {
        this.engine = engine;
    }

    /** The permits belong to this client from now on. */
    public void keep(Hold hold) {
        permits.compute(hold.name(), (name, known) -> {
            ClientPermits its = known == null ? new ClientPermits(engine) : known;
            its.add(hold);
            return its;
        });
    }

    /**
     * Releases that many.
     *
     * @throws IllegalMonitorStateException if this client has fewer
     */
    public CompletableFuture<Void> release(String name, int number) {
        ClientPermits its = permits.get(name);
        CompletableFuture<Void> released = (its == null ? new ClientPermits(engine) : its)
                .release(Messages.label(ResourceType.SEMAPHORE, name), number);
        permits.computeIfPresent(name, (same, known) -> known.isEmpty() ? null : known);
        return released;
    }

    /**
     * Releases some of the permits that a handle has.
     *
     * @throws IllegalMonitorStateException if it has fewer, or is closed
     * @throws io.holdfast.LeaseLostException if it is lost
     */
    public CompletableFuture<Void> release(Hold hold, int number) {
        String what = Messages.label(ResourceType.SEMAPHORE, hold.name());
        lock.lock();
        try {
            if (!hold.isValid()) {
                if (hold.count() > 0) {
                    throw hold.lossException();
                }
                throw new IllegalMonitorStateException(what + ": the lease is closed");
            }
            int its = hold.activeClaim.permits();
            if (its < number) {
                throw new IllegalMonitorStateException(
                        what + ": the lease has " + its + " permits, so it can't give back " + number);
            }
            if (its == number) {
                return hold.closeAsync();
            }
            hold.activeClaim.keepPermits(its - number);
            return engine.watchdog().extend(hold, hold.leaseToKeep());
        } finally {
            lock.unlock();
        }
    }

    /** The permits of the semaphore, if there are any. */
    @Nullable
    ClientPermits of(String name) {
        return permits.get(name);
    }
}
