package io.holdfast.spring.boot;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** Counts the leases that were lost lately. */
final class RecentLosses implements LockListener {

    /** More than these are not told apart. */
    static final int MOST = 1000;

    private final Deque<Long> times = new ArrayDeque<>();
    private final long recent;
    private final LongSupplier clock;

    RecentLosses(Duration recent) {
        this(recent, System::nanoTime);
    }

    RecentLosses(Duration recent, LongSupplier clock) {
        this.recent = recent.toNanos();
        this.clock = clock;
    }

    @Override
    public synchronized void lost(LockEvent.Lost event) {
        times.addLast(clock.getAsLong());
        if (times.size() > MOST) {
            times.removeFirst();
        }
    }

    synchronized int count() {
        long now = clock.getAsLong();
        while (!times.isEmpty() && now - times.getFirst() > recent) {
            times.removeFirst();
        }
        return times.size();
    }
}
