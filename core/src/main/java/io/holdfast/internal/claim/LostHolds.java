package io.holdfast.internal.claim;

import io.holdfast.internal.Tuning;
import io.holdfast.spi.Mode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The holds that threads lost and have not unlocked yet, the last one first, so that {@code unlock()} can say that the
 * lock was lost rather than that it was never held. Bounded: a thread that never unlocks leaves nothing for ever.
 */
final class LostHolds {

    private record Key(String name, Mode mode, long owner) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Deque<Hold>> holds = new LinkedHashMap<>();

    void remember(Hold hold) {
        lock.lock();
        try {
            if (hold.isHandle() || hold.depth() == 0) {
                return;
            }
            Deque<Hold> ofOwner = holds.computeIfAbsent(keyOf(hold), key -> new ArrayDeque<>(1));
            if (!ofOwner.contains(hold)) {
                ofOwner.push(hold);
            }
            if (ofOwner.size() > Tuning.LOST_HOLDS_OF_OWNER) {
                ofOwner.removeLast();
            }
            if (holds.size() > Tuning.LOST_OWNERS) {
                holds.remove(holds.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(Hold hold) {
        lock.lock();
        try {
            holds.computeIfPresent(keyOf(hold), (key, ofOwner) -> {
                ofOwner.remove(hold);
                return ofOwner.isEmpty() ? null : ofOwner;
            });
        } finally {
            lock.unlock();
        }
    }

    /** The last that the owner lost of that name. */
    @Nullable
    Hold find(String name, Mode mode, long owner) {
        lock.lock();
        try {
            Deque<Hold> ofOwner = holds.get(new Key(name, mode, owner));
            return ofOwner == null
                    ? null
                    : ofOwner.stream()
                            .filter(hold -> hold.count() > 0)
                            .findFirst()
                            .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    private static Key keyOf(Hold hold) {
        return new Key(hold.name(), hold.activeClaim.mode(), hold.ownerId());
    }
}
