package io.holdfast.quorum;

import java.util.PriorityQueue;
import java.util.Random;

/** Simulated time: everything that happens follows from the seed. */
final class SimWorld implements Surroundings {

    private static final class Event implements Comparable<Event> {
        final long at;
        final long order;
        Runnable task;

        Event(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private static final boolean TRACED = Long.getLong("holdfast.seed") != null;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Random random;
    private long now = 1_000_000_000L;
    private long order;

    SimWorld(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
        Event event = new Event(now + Math.max(0, nanos), order++, task);
        events.add(event);
        return () -> event.task = () -> {};
    }

    @Override
    public long random(long bound) {
        return (long) (random.nextDouble() * bound);
    }

    /** Prints what happens, where one seed is looked at: {@code -Dholdfast.seed}. */
    void trace(String what) {
        if (TRACED) {
            System.out.printf("%9.3f ms  %s%n", now / 1e6 - 1_000, what);
        }
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Plays what happens in the next so many milliseconds. */
    void play(long millis) {
        long end = now + millis * 1_000_000;
        while (!events.isEmpty() && events.peek().at <= end) {
            Event next = events.poll();
            now = next.at;
            next.task.run();
        }
        now = end;
    }

    @Override
    public void close() {}
}
