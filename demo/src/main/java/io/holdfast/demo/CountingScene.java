package io.holdfast.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Processes count together, without a lock or with one. */
final class CountingScene implements Scene {

    private static final Duration REFRESH = Duration.ofMillis(100);

    private final Duration duration;
    private final boolean locked;

    private CountingScene(Duration duration, boolean locked) {
        this.duration = duration;
        this.locked = locked;
    }

    static CountingScene withoutLock(Duration duration) {
        return new CountingScene(duration, false);
    }

    static CountingScene withLock(Duration duration) {
        return new CountingScene(duration, true);
    }

    @Override
    public String title() {
        return locked
                ? "With a Holdfast lock: the same processes do the same, one at a time"
                : "Without a lock: " + Options.WORKERS + " processes read a counter, add one and write it back";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        crew.data().clearCounter();
        List<WorkerProcess> workers = crew.workers();
        for (WorkerProcess worker : workers) {
            worker.tell((locked ? "count-locked " : "count ") + duration);
        }
        Tally tally = follow(workers, crew.data(), progress);
        long counter = crew.data().counter();
        long lost = tally.made() - counter;
        return locked ? judgeLocked(tally, lost, progress) : judgeUnlocked(tally, lost, counter, progress);
    }

    /** Draws what is made and lost while it happens, and adds up what the workers say at the end. */
    private Tally follow(List<WorkerProcess> workers, SharedData data, Progress progress) throws InterruptedException {
        long start = System.nanoTime();
        long madeColdly = 0;
        long warmSince = start;
        Map<WorkerProcess, Long> made = new HashMap<>();
        Map<WorkerProcess, Long> outOfOrder = new HashMap<>();
        while (outOfOrder.size() < workers.size()) {
            Thread.sleep(REFRESH.toMillis());
            for (WorkerProcess worker : workers) {
                for (var report = worker.poll(Duration.ZERO); report.isPresent(); report = worker.poll(Duration.ZERO)) {
                    made.put(worker, report.get().number(0));
                    if (report.get().is("counted")) {
                        outOfOrder.put(worker, report.get().number(1));
                    }
                }
            }
            // Reports are a little old, so the counter may be ahead of them.
            long lost = Math.max(0, sum(made) - data.counter());
            double fraction = (double) Text.since(start).toNanos() / duration.toNanos();
            if (fraction < 0.5) {
                madeColdly = sum(made);
                warmSince = System.nanoTime();
            }
            progress.bar(fraction, Text.count(sum(made)) + " updates, " + Text.count(lost) + " lost");
        }
        double warmSeconds = Text.since(warmSince).toNanos() / 1e9;
        return new Tally(sum(made), sum(outOfOrder), Math.round((sum(made) - madeColdly) / warmSeconds));
    }

    private Result judgeUnlocked(Tally tally, long lost, long counter, Progress progress) {
        progress.verdict(
                lost == 0,
                String.format(
                        "%s updates were made, the counter says %s: %s of them are lost.",
                        Text.count(tally.made()), Text.count(counter), Text.count(lost)));
        String seen = Text.count(lost) + " of " + Text.count(tally.made()) + " lost";
        return Result.of("1 no lock", "updates are lost", seen, lost > 0);
    }

    private Result judgeLocked(Tally tally, long lost, Progress progress) {
        boolean ok = lost == 0 && tally.outOfOrder() == 0 && tally.made() > 0;
        progress.verdict(
                ok,
                String.format(
                        "%s updates were made, %s are lost; %s locks/s in the second half.",
                        Text.count(tally.made()), Text.count(lost), Text.count(tally.perSecond())));
        progress.verdict(
                ok,
                tally.outOfOrder() == 0
                        ? "Each of the " + Text.count(tally.made()) + " fencing tokens is greater than the one before."
                        : Text.count(tally.outOfOrder()) + " fencing tokens are not greater than the one before.");
        String seen = Text.count(lost) + " of " + Text.count(tally.made()) + " lost, "
                + (tally.outOfOrder() == 0 ? "rising" : "not rising");
        return Result.of("2 Holdfast lock", "none lost, tokens rise", seen, ok);
    }

    private static long sum(Map<WorkerProcess, Long> numbers) {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * What all workers did together.
     *
     * @param made how many updates
     * @param outOfOrder how many of their tokens were not greater than the one before
     * @param perSecond updates per second in the second half, when most of the code has been compiled
     */
    private record Tally(long made, long outOfOrder, long perSecond) {}
}
