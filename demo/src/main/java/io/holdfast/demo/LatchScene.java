package io.holdfast.demo;

import io.holdfast.DistributedLatch;
import io.holdfast.demo.Logbook.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A latch opens when every process has counted, and one that counts twice does not open it early. */
final class LatchScene implements Scene {

    /** How much longer each works than the one before. */
    private static final Duration STEP = Duration.ofMillis(300);

    @Override
    public String title() {
        return "A latch: opens for all when each process has counted down; one does so twice";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        Logbook logbook = crew.data().logbook();
        logbook.clear();
        List<WorkerProcess> workers = crew.workers();
        DistributedLatch latch = crew.holdfast().latch(crew.name("latch"));
        latch.trySetCount(workers.size());
        int before = workers.size() - 1;
        for (int i = 0; i < before; i++) {
            workers.get(i).tell("count-down " + STEP.multipliedBy(i + 1) + " " + times(i));
        }
        for (int i = 0; i < before; i++) {
            for (int time = 0; time < times(i); time++) {
                workers.get(i).await("counted");
                progress.bar((i + 1.0) / workers.size(), latch.getCount() + " to go");
            }
        }
        // All but the last one have counted, one of them twice: had that counted twice, the latch would be open.
        long left = latch.getCount();
        workers.get(before).tell("count-down " + STEP + " 1");
        crew.awaitDone(1, STEP, progress, () -> latch.getCount() + " to go");
        latch.delete();

        List<Entry> entries = logbook.entries();
        List<Doing> steps = entries.stream().map(Entry::doing).toList();
        long calls = steps.stream().filter(doing -> doing == Doing.COUNTS).count();
        long passed = steps.stream().filter(doing -> doing == Doing.INSIDE).count();
        boolean afterAll = steps.indexOf(Doing.INSIDE) > steps.lastIndexOf(Doing.COUNTS);
        boolean ok = left == 1 && passed == workers.size() && afterAll;
        progress.drawing(Timeline.of(entries));
        progress.verdict(
                ok,
                String.format(
                        "%d calls of %d processes left %d to go; %d go on, %s the last call.",
                        calls - 1, before, left, passed, afterAll ? "after" : "BEFORE"));
        String seen = passed + " go on, " + (afterAll ? "after " : "BEFORE ") + calls + " calls";
        return Result.of("7 latch", "opens when " + workers.size() + " have counted", seen, ok);
    }

    /** How often a worker counts. */
    private static int times(int worker) {
        return worker == 0 ? 2 : 1;
    }
}
