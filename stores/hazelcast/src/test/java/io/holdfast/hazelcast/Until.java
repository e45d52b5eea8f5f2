package io.holdfast.hazelcast;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waiting for a condition. */
final class Until {

    private static final Duration SOON = Duration.ofSeconds(60);

    private Until() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + SOON.toSeconds() + " s: " + what);
            }
            Thread.sleep(20);
        }
    }
}
