package io.holdfast.internal.store;

import io.holdfast.internal.Tuning;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One watch for each contended name, kept a while after use: a name that is waited for once is waited for again, and
 * then the watch is in place already.
 */
public final class Watches {

    private static final class Watch {
        final Subscription subscription;
        long lastUsed;

        Watch(Subscription subscription) {
            this.subscription = subscription;
        }
    }

    private final StoreContext engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Resource, Watch> watches = new HashMap<>();
    private final Timer sweep = new Timer(this::sweep);

    public Watches(StoreContext engine) {
        this.engine = engine;
    }

    /** Ensures that the name is watched for a while from now. Each waiter calls this with each re-check. */
    public void use(Resource resource) {
        lock.lock();
        try {
            if (watches.isEmpty()) {
                engine.timers().arm(sweep, engine.now() + Tuning.WATCH_IDLE_NANOS);
            }
            Watch watch = watches.get(resource);
            if (watch == null) {
                watch = new Watch(engine.store().watch(resource, () -> engine.changed(resource)));
                watches.put(resource, watch);
            }
            watch.lastUsed = engine.now();
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return watches.size();
        } finally {
            lock.unlock();
        }
    }

    public void close() {
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
