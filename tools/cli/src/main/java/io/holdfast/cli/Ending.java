package io.holdfast.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The last things that a process waits for. The first signal waits for a moment, the second for none. */
final class Ending {

    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final BlockingQueue<Notice> notices;

    Ending(BlockingQueue<Notice> notices) {
        this.notices = notices;
    }

    /**
     * Whether it was done in time.
     *
     * @param told whether this process was told to end
     */
    boolean await(CompletableFuture<?> last, boolean told, Duration atMost) throws InterruptedException {
        List<Notice> before = new ArrayList<>();
        notices.drainTo(before);
        boolean hurries = told || before.stream().anyMatch(Ending::tellsToEnd);
        last.whenComplete((done, failure) -> notices.add(Notice.DONE));
        long start = System.nanoTime();
        while (!last.isDone()) {
            Duration limit = hurries && MOMENT.compareTo(atMost) < 0 ? MOMENT : atMost;
            long left = limit.toNanos() - (System.nanoTime() - start);
            Notice notice = left <= 0 ? null : notices.poll(left, TimeUnit.NANOSECONDS);
            boolean again = notice != null && tellsToEnd(notice);
            if (notice == null || (again && hurries)) {
                return last.isDone();
            }
            hurries |= again;
        }
        return true;
    }

    private static boolean tellsToEnd(Notice notice) {
        return notice instanceof Notice.Signalled signal && !Signals.isHarmless(signal.name());
    }
}
