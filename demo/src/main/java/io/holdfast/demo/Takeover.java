package io.holdfast.demo;

import java.time.Duration;
import java.util.Optional;

/**
 * A lock that passes on from a holder that is gone.
 *
 * @param granted what the next holder reported when it got the lock
 * @param after how long after the first one was stopped
 */
record Takeover(Report granted, Duration after) {

    private static final Duration REFRESH = Duration.ofMillis(50);

    /** For the report to get from there to here on a busy machine. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** Waits until the next one has the lock, with a bar that fills up as the time does in which it must. */
    static Takeover await(WorkerProcess next, long stopped, Duration limit, String what, Progress progress)
            throws InterruptedException {
        while (true) {
            Optional<Report> report = next.poll(REFRESH);
            Duration passed = Text.since(stopped);
            if (report.isPresent() && report.get().is("granted")) {
                return new Takeover(report.get(), passed);
            }
            if (passed.compareTo(limit.multipliedBy(5)) > 0) {
                throw new DemoException(next.name() + " does not get the lock");
            }
            progress.bar(
                    (double) passed.toNanos() / limit.toNanos(),
                    next.name() + " waits for " + what + ": " + Text.seconds(passed));
        }
    }

    boolean within(Duration limit) {
        return after.compareTo(limit.plus(GRACE)) <= 0;
    }

    long token() {
        return granted.number(0);
    }
}
