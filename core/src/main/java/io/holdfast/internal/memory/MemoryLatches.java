package io.holdfast.internal.memory;

import io.holdfast.spi.LatchState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The latches of one in-memory store. Its methods are atomic and take no time. */
public final class MemoryLatches {

    private static final class Latch {
        String id = "";
        long count;
        Set<String> counted = new HashSet<>();
    }

    private final Map<String, Latch> latches = new HashMap<>();

    public synchronized LatchState set(String name, String id, long count) {
        Latch latch = latches.computeIfAbsent(name, unused -> new Latch());
        if (latch.id.isEmpty()) {
            latch.id = id;
            latch.count = count;
        }
        return state(latch);
    }

    public synchronized LatchState countDown(String name, String id) {
        Latch latch = latches.get(name);
        if (latch == null) {
            return LatchState.NONE;
        }
        if (latch.count > 0 && latch.counted.add(id)) {
            latch.count--;
        }
        return state(latch);
    }

    public synchronized LatchState look(String name) {
        Latch latch = latches.get(name);
        return latch == null ? LatchState.NONE : state(latch);
    }

    public synchronized boolean delete(String name, String id) {
        Latch latch = latches.get(name);
        if (latch == null || latch.id.isEmpty() || !latch.id.equals(id)) {
            return false;
        }
        latch.id = "";
        latch.count = 0; // the ids that have counted are kept: a late repetition must not count on the next latch
        return true;
    }

    private static LatchState state(Latch latch) {
        return new LatchState(latch.id, latch.count);
    }
}
