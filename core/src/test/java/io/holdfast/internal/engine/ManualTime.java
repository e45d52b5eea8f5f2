package io.holdfast.internal.engine;

import io.holdfast.internal.time.Scheduler;
import io.holdfast.internal.time.Ticker;
import io.holdfast.spi.LockStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A clock and scheduler that move when they are told to. */
final class ManualTime implements Ticker, Scheduler {

    private record Task(long offset, long order, Runnable action) {}

    private final long start;
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::offset).thenComparingLong(Task::order));
    private long elapsed;
    private long scheduled;

    ManualTime(long start) {
        this.start = start;
    }

    @Override
    public long nanos() {
        return start + elapsed;
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
        tasks.add(new Task(elapsed + delayNanos, scheduled++, task));
    }

    void advance(long nanos) {
        long until = elapsed + nanos;
        for (Task next = tasks.peek(); next != null && next.offset <= until; next = tasks.peek()) {
            tasks.remove();
            elapsed = Math.max(elapsed, next.offset);
            next.action.run();
        }
        elapsed = until;
    }

    /** Time passes and nothing runs, as in a process that is stopped. */
    void jump(long nanos) {
        elapsed += nanos;
    }

    /** How many wake-ups have been asked for and not come. */
    int outstanding() {
        return tasks.size();
    }

    /** How often a wake-up was asked for. */
    long scheduled() {
        return scheduled;
    }

    /** A client's engine in this time, whose callbacks run where they are made; the number tells it from others. */
    Engine engine(int number, LockStore store) {
        return new Engine(
                new Identity("00000000-0000-4000-8000-00000000000" + number, "test", "localhost", number),
                new SystemNonces(),
                store,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                this,
                this,
                Runnable::run,
                List.of());
    }
}
