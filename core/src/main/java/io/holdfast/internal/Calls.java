package io.holdfast.internal;

import io.holdfast.spi.Subscription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hears from the store which of this client's waiting claims are called. There is one subscription for all of them, from
 * the first that waits to the end of the client.
 */
final class Calls {

    private final Engine engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Runnable> waiting = new ConcurrentHashMap<>();
    private final Map<String, Runnable> yielding = new ConcurrentHashMap<>();
    private @Nullable Subscription subscription;
    private boolean closed;

    Calls(Engine engine) {
        this.engine = engine;
    }

    /** The claim waits from now on; {@code called} is quick. */
    void waits(String claimId, Runnable called) {
        waiting.put(claimId, called);
        listen();
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
                subscription = engine.store().listen(engine.clientId(), this::called);
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

    private void called(String claimId) {
        Runnable called = waiting.getOrDefault(claimId, yielding.get(claimId));
        if (claimId.isEmpty()) {
            // Calls were not heard until now. Who waits looks; who was asked to yield is asked again.
            waiting.values().forEach(Runnable::run);
        } else if (called != null) {
            called.run();
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
