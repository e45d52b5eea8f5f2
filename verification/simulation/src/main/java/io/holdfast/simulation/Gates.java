package io.holdfast.simulation;

import io.holdfast.internal.memory.MemoryLatches;
import io.holdfast.spi.LatchState;
import java.util.HashSet;
import java.util.Set;

/** The store's latch, and what was ever true of it. */
final class Gates {

    private static final long NEVER = Long.MAX_VALUE;
    private static final long LONG_AGO = Long.MIN_VALUE;

    private final World world;
    private final Set<String> counted = new HashSet<>();
    private final Set<String> set = new HashSet<>();
    private MemoryLatches latches = new MemoryLatches();
    private LatchState state = LatchState.NONE;
    private long since;
    private long lastOpen = LONG_AGO;
    private long lastGone = LONG_AGO;

    Gates(World world) {
        this.world = world;
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    LatchState set(String name, String id, long count) {
        LatchState now = latches.set(name, id, count);
        if (now.id().equals(id)) {
            set.add(id);
        }
        return changed(name, now);
    }

    LatchState countDown(String name, String id) {
        counted.add(id);
        return changed(name, latches.countDown(name, id));
    }

    LatchState look(String name) {
        return latches.look(name);
    }

    boolean delete(String name, String id) {
        boolean deleted = latches.delete(name, id);
        changed(name, latches.look(name));
        return deleted;
    }

    /** The store has lost everything. */
    void forgotten() {
        latches = new MemoryLatches();
        become(LatchState.NONE);
    }

    private LatchState changed(String name, LatchState now) {
        world.trace.say("store", "latch %s: %s", name, now);
        boolean told = !now.id().equals(state.id()) || now.isOpen() != state.isOpen();
        become(now);
        if (told) {
            world.server.tell(name, null);
        }
        return now;
    }

    private void become(LatchState now) {
        if (state.isOpen()) {
            lastOpen = world.now();
        }
        if (!now.id().equals(state.id())) {
            lastGone = state.exists() ? world.now() : lastGone;
            since = world.now();
        } else if (now.isOpen() != state.isOpen()) {
            since = world.now();
        }
        state = now;
    }

    // ---- what was true ----------------------------------------------------------------------------------------

    /** Since when it has been open, if it is. */
    long openSince() {
        return state.isOpen() ? since : NEVER;
    }

    boolean wasOpenSince(long time) {
        return state.isOpen() || lastOpen >= time;
    }

    /** Whether one was deleted or lost since then. */
    boolean wasGoneSince(long time) {
        return lastGone >= time;
    }

    /** Whether there was none at some time since then. */
    boolean wasAbsentSince(long time) {
        return !state.exists() || lastGone >= time || since >= time;
    }

    /** Whether that command has run. */
    boolean hasCounted(String id) {
        return counted.contains(id);
    }

    /** How many countings of a client have run, of those that it gave an id of its own. */
    long countedBy(SimProcess process) {
        return counted.stream().filter(id -> id.startsWith(process.id + ":")).count();
    }

    long setBy(SimProcess process) {
        return set.stream().filter(id -> id.startsWith(process.id + ":")).count();
    }
}
