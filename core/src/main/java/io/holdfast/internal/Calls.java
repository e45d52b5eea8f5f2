package io.holdfast.internal;

import io.holdfast.spi.CallListener;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Subscription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hears from the store which of this client's waiting claims are called or granted. There is one subscription for all of
 * them, from the first that waits to the end of the client.
 */
final class Calls implements CallListener {

    private final Engine engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Asking> waiting = new ConcurrentHashMap<>();
    private final Map<String, Runnable> yielding = new ConcurrentHashMap<>();
    private @Nullable Subscription subscription;
    private boolean closed;

    Calls(Engine engine) {
        this.engine = engine;
    }

    /** The claim waits from now on. */
    void waits(String claimId, Asking asking) {
        if (waiting.put(claimId, asking) == null) {
            listen();
        }
    }

    /** The claim is held, and may be given up when others ask; {@code asked} is quick. */
    void yields(String claimId, Runnable asked) {
        yielding.put(claimId, asked);
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
        yielding.remove(claimId);
    }

    @Override
    public void called(String claimId) {
        Asking asking = waiting.get(claimId);
        Runnable asked = yielding.get(claimId);
        if (claimId.isEmpty()) {
            // Calls were not heard until now. Who waits looks; who was asked to yield is asked again.
            waiting.values().forEach(Asking::called);
        } else if (asking != null) {
            asking.called();
        } else if (asked != null) {
            asked.run();
        }
    }

    @Override
    public void granted(String claimId, long place, Outcome.Granted grant) {
        Asking asking = waiting.get(claimId);
        if (asking != null) {
            asking.granted(place, grant);
        }
    }

    int size() {
        return waiting.size() + yielding.size();
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
