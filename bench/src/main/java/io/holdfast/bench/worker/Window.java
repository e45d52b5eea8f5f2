package io.holdfast.bench.worker;

import java.util.concurrent.TimeUnit;

/**
 * When to count: from {@code from} to {@code to}, by {@link System#nanoTime}. On Linux that is CLOCK_MONOTONIC, the same
 * for all processes, so all of them count at the same time.
 */
public record Window(long from, long to) {

    /** From now on, after the warm-up. */
    public static Window after(double warmUpSeconds, double seconds) {
        long from = System.nanoTime() + nanos(warmUpSeconds);
        return new Window(from, from + nanos(seconds));
    }

    public double seconds() {
        return (to - from) / 1e9;
    }

    boolean isOver(long now) {
        return now - to >= 0;
    }

    boolean contains(long now) {
        return now - from >= 0 && now - to < 0;
    }

    /** How long what went on from {@code begin} to {@code end} has lasted by the end of the window; zero if it was over before. */
    long lasted(long begin, long end) {
        return end - from < 0 ? 0 : Math.max(0, (isOver(end) ? to : end) - begin);
    }

    public static void sleepUntil(long time) throws InterruptedException {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
