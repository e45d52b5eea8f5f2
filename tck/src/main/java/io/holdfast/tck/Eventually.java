package io.holdfast.tck;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Waiting for a condition, so that no test sleeps for longer than it must. */
final class Eventually {

    private static final Duration SETTLED = Duration.ofMillis(60);

    /** An assertion that may fail at first. */
    interface Check {
        void run() throws Exception;
    }

    private Eventually() {}

    /** Runs the check until it passes; its last failure is the test's. */
    static void eventually(Duration limit, Check check) throws Exception {
        Pace.Patience patience = Pace.current().patience(limit);
        while (true) {
            @Nullable Throwable failure = failureOf(check);
            if (failure == null) {
                return;
            }
            if (patience.isOver()) {
                throw new AssertionError("not within " + limit.toMillis() + " ms: " + failure.getMessage(), failure);
            }
            patience.more();
        }
    }

    /** Waits until the condition is true. */
    static void until(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        eventually(limit, () -> {
            if (!condition.call()) {
                throw new AssertionError(what);
            }
        });
    }

    /** Checks that the condition is true, again and again, for that long. */
    static void throughout(String what, Duration time, Callable<Boolean> condition) throws Exception {
        Pace pace = Pace.current();
        long deadline = pace.nanos() + time.toNanos();
        do {
            if (!condition.call()) {
                throw new AssertionError("not at all times: " + what);
            }
            pace.step();
        } while (pace.nanos() - deadline < 0);
        for (int i = pace.looks(); i > 0; i--) {
            if (!condition.call()) {
                throw new AssertionError("not at all times: " + what);
            }
            Thread.sleep(1);
        }
    }

    /**
     * Waits until the condition stays true for a moment: what was under way may still make it false, but not for long.
     */
    static void settles(String what, Duration limit, Callable<Boolean> condition) throws Exception {
        Pace pace = Pace.current();
        long start = pace.nanos();
        long since = start;
        while (pace.nanos() - since < SETTLED.toNanos()) {
            if (!condition.call()) {
                since = pace.nanos();
            }
            if (pace.nanos() - start > limit.toNanos()) {
                throw new AssertionError("not within " + limit.toMillis() + " ms: " + what);
            }
            pace.step();
        }
    }

    private static @Nullable Throwable failureOf(Check check) {
        try {
            check.run();
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }
}
