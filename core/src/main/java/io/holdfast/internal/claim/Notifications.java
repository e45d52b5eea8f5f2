package io.holdfast.internal.claim;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.Subscription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the store tells this client about its claims, passed to the claim that it concerns. There is one subscription for
 * all claims, from the first that waits or is revocable to the end of the client.
 */
public final class Notifications implements ClaimListener {

    private final ClaimContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Acquisition> waiting = new ConcurrentHashMap<>();
    private final Map<String, Runnable> revocable = new ConcurrentHashMap<>();
    private @Nullable Subscription subscription;
    private boolean closed;

    public Notifications(ClaimContext engine) {
        this.engine = engine;
    }

    /** The claim is queued from now on. */
    void waits(String claimId, Acquisition acquisition) {
        if (waiting.put(claimId, acquisition) == null) {
            subscribe();
        }
    }

    /** The claim is held and revocable from now on; {@code requested} is quick. */
    public void revocable(String claimId, Runnable requested) {
        revocable.put(claimId, requested);
        subscribe();
    }

    private void subscribe() {
        lock.lock();
        try {
            QueueingStore store = engine.capabilities().queueing();
            if (subscription == null && !closed && store != null) {
                subscription = store.subscribe(engine.clientId(), this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing concerns the claim any more. */
    void over(String claimId) {
        waiting.remove(claimId);
        revocable.remove(claimId);
    }

    @Override
    public void turnReached(String claimId) {
        Acquisition acquisition = waiting.get(claimId);
        if (acquisition != null) {
            acquisition.turnReached();
        }
    }

    @Override
    public void revocationRequested(String claimId) {
        Runnable requested = revocable.get(claimId);
        Acquisition acquisition = waiting.get(claimId);
        if (requested != null) {
            requested.run();
        } else if (acquisition != null) {
            acquisition.turnReached(); // it was granted, and its client does not know yet
        }
    }

    /** Queued claims look at the store. Revocable ones need not: a claim that waits for them is sent again. */
    @Override
    public void resync() {
        waiting.values().forEach(Acquisition::turnReached);
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        Acquisition acquisition = waiting.get(claimId);
        if (acquisition != null) {
            acquisition.granted(ticket, grant);
        }
    }

    public int size() {
        return waiting.size() + revocable.size();
    }

    public void close() {
        lock.lock();
        try {
            closed = true;
            if (subscription != null) {
                subscription.close();
                subscription = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
