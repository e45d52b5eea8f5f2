package io.holdfast.internal.claim;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Subscription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hears from the store which of this client's waiting claims are called or granted. There is one subscription for all of
 * them, from the first that waits to the end of the client.
 */
final class Notifications implements ClaimListener {

    private final ClaimContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Acquisition> waiting = new ConcurrentHashMap<>();
    private final Map<String, Runnable> revocable = new ConcurrentHashMap<>();
    private @Nullable Subscription subscription;
    private boolean closed;

    Notifications(ClaimContext engine) {
        this.engine = engine;
    }

    /** The claim waits from now on. */
    void waits(String claimId, Acquisition acquisition) {
        if (waiting.put(claimId, acquisition) == null) {
            listen();
        }
    }

    /** The claim is held, and may be given up when others ask; {@code asked} is quick. */
    void revocable(String claimId, Runnable asked) {
        revocable.put(claimId, asked);
        listen();
    }

    private void listen() {
        lock.lock();
        try {
            if (subscription == null && !closed) {
                subscription = engine.store().listen(engine.clientId(), this);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The claim need not be called any more. */
    void over(String claimId) {
        waiting.remove(claimId);
        revocable.remove(claimId);
    }

    @Override
    public void called(String claimId) {
        Acquisition acquisition = waiting.get(claimId);
        Runnable asked = revocable.get(claimId);
        if (claimId.isEmpty()) {
            // Calls were not heard until now. Who waits looks; who was asked to yield is asked again.
            waiting.values().forEach(Acquisition::called);
        } else if (acquisition != null) {
            acquisition.called();
        } else if (asked != null) {
            asked.run();
        }
    }

    @Override
    public void granted(String claimId, long ticket, ClaimResult.Granted grant) {
        Acquisition acquisition = waiting.get(claimId);
        if (acquisition != null) {
            acquisition.granted(ticket, grant);
        }
    }

    int size() {
        return waiting.size() + revocable.size();
    }

    void close() {
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
