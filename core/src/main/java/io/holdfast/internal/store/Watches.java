package io.holdfast.internal.store;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One watch for each contended name, kept a while after use: whoever waits for it once will wait for it again, and
 * then the watch is in place already.
 */
final class Watches {

    private record Watched(ResourceType kind, String name) {}

    private static final class Watch {
        final Subscription subscription;
        long lastUsed;

        Watch(Subscription subscription) {
            this.subscription = subscription;
        }
    }

    private final StoreContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Watched, Watch> watches = new HashMap<>();
    private final Timer sweep = new Timer(this::sweep);

    Watches(StoreContext engine) {
        this.engine = engine;
    }

    /** Sees to it that the name is watched for a while from now. Whoever waits calls this with each re-check. */
    void use(ResourceType kind, String name) {
        Watched watched = new Watched(kind, name);
        lock.lock();
        try {
            if (watches.isEmpty()) {
                engine.timers().arm(sweep, engine.now() + Tuning.WATCH_IDLE_NANOS);
            }
            Watch watch = watches.get(watched);
            if (watch == null) {
                watch = new Watch(engine.store().watch(kind, name, () -> engine.changed(kind, name)));
                watches.put(watched, watch);
            }
            watch.lastUsed = engine.now();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return watches.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            engine.timers().cancel(sweep);
            watches.values().forEach(watch -> watch.subscription.close());
            watches.clear();
        } finally {
            lock.unlock();
        }
    }

    private void sweep() {
        lock.lock();
        try {
            long now = engine.now();
            engine.timers().arm(sweep, now + Tuning.WATCH_IDLE_NANOS / 2);
            for (Iterator<Watch> all = watches.values().iterator(); all.hasNext(); ) {
                Watch watch = all.next();
                if (now - watch.lastUsed >= Tuning.WATCH_IDLE_NANOS) {
                    all.remove();
                    watch.subscription.close();
                }
            }
            if (watches.isEmpty()) {
                engine.timers().cancel(sweep);
            }
        } finally {
            lock.unlock();
        }
    }
}
