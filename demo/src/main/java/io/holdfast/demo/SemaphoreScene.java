package io.holdfast.demo;

import io.holdfast.demo.Logbook.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A few of many are inside at once, over all processes. */
final class SemaphoreScene implements Scene {

    private static final int PERMITS = 3;
    private static final int VISITORS = 2;

    private final Duration duration;

    SemaphoreScene(Duration duration) {
        this.duration = duration;
    }

    @Override
    public String title() {
        return "A semaphore of " + PERMITS + ": " + VISITORS + " threads in each process want a permit";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        Logbook logbook = crew.data().logbook();
        logbook.clear();
        List<WorkerProcess> workers = crew.workers();
        for (WorkerProcess worker : workers) {
            for (int visitor = 0; visitor < VISITORS; visitor++) {
                worker.tell("permits " + duration + " " + PERMITS);
            }
        }
        int all = workers.size() * VISITORS;
        crew.awaitDone(VISITORS, duration, progress, () -> {
            int inside = Attendance.after(logbook.entries()).count(Doing.INSIDE);
            return inside + " of " + all + " have a permit";
        });

        List<Entry> entries = logbook.entries();
        int most = Attendance.most(entries, now -> now.count(Doing.INSIDE));
        long turns =
                entries.stream().filter(entry -> entry.doing() == Doing.INSIDE).count();
        boolean ok = most == PERMITS;
        progress.drawing(Timeline.counting(entries));
        progress.verdict(ok, String.format("At most %d of %d are in at once, in %d turns.", most, all, turns));
        return Result.of(
                "6 semaphore", "at most " + PERMITS + " of " + all + " in", most + " in " + turns + " turns", ok);
    }
}
