package io.holdfast.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The holds that threads lost and have not unlocked yet, so that {@code unlock()} can say that the lock was lost rather
 * than that it was never held. Bounded: a thread that never unlocks leaves nothing for ever.
 */
final class LostHolds {

    private static final int MOST = 1_024;

    private record Key(String name, long owner) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Hold> holds = new LinkedHashMap<>();

    void remember(Hold hold) {
        if (hold.owner.handle() || hold.count() == 0) {
            return;
        }
        lock.lock();
        try {
            holds.put(keyOf(hold), hold);
            if (holds.size() > MOST) {
                holds.remove(holds.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(Hold hold) {
        lock.lock();
        try {
            holds.remove(keyOf(hold), hold);
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Hold find(String name, long owner) {
        lock.lock();
        try {
            return holds.get(new Key(name, owner));
        } finally {
            lock.unlock();
        }
    }

    private static Key keyOf(Hold hold) {
        return new Key(hold.name(), hold.owner.id());
    }
}
