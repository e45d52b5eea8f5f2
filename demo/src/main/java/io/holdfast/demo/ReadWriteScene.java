package io.holdfast.demo;

import io.holdfast.demo.Logbook.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Readers are inside together and writers alone, over all processes. */
final class ReadWriteScene implements Scene {

    private final Duration duration;

    ReadWriteScene(Duration duration) {
        this.duration = duration;
    }

    @Override
    public String title() {
        return "A read/write lock: readers go in together, a writer alone";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        Logbook logbook = crew.data().logbook();
        logbook.clear();
        int phase = 0;
        for (WorkerProcess worker : crew.workers()) {
            worker.tell("read-write " + duration + " " + phase++);
        }
        crew.awaitDone(1, duration, progress, () -> {
            Attendance now = Attendance.after(logbook.entries());
            return now.count(Doing.READS) + " read, " + now.count(Doing.WRITES) + " write";
        });

        List<Entry> entries = logbook.entries();
        int readers = Attendance.most(entries, now -> now.count(Doing.READS));
        int writers = Attendance.most(entries, now -> now.count(Doing.WRITES));
        int both = Attendance.most(entries, now -> Math.min(now.count(Doing.READS), now.count(Doing.WRITES)));
        boolean ok = readers > 1 && writers == 1 && both == 0;
        progress.drawing(Timeline.of(entries));
        progress.verdict(
                ok,
                String.format(
                        "Up to %d readers at once, %d writer%s, %s both.",
                        readers, writers, writers == 1 ? "" : "s AT ONCE", both == 0 ? "never" : "SOMETIMES"));
        String seen = both == 0 ? "up to " + readers + " or " + writers : "BOTH at once";
        return Result.of("5 read/write", "many readers or one writer", seen, ok);
    }
}
