package io.holdfast.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names whose plain lock this client has lately given back while other claims waited for it. The client has had its turn
 * there, so its next claim comes after the waiting ones instead of barging. Remembered for a moment only, and for so many
 * names at most; a name that no other claim waits for is not in here.
 */
final class ContendedNames {

    /** By name, until when. */
    private final Map<String, Long> until = new ConcurrentHashMap<>();

    /** The store has said whether other claims waited when this client gave the lock back. */
    void released(String name, boolean contended, long now) {
        if (!contended) {
            until.remove(name);
        } else if (until.containsKey(name) || hasRoom(now)) {
            until.put(name, now + Tuning.CONTENDED_NANOS);
        }
    }

    private boolean hasRoom(long now) {
        if (until.size() >= Tuning.CONTENDED_NAMES) {
            until.values().removeIf(end -> now - end >= 0);
        }
        return until.size() < Tuning.CONTENDED_NAMES; // otherwise this client barges once more
    }

    boolean contains(String name, long now) {
        Long end = until.get(name);
        return end != null && now - end < 0;
    }
}
