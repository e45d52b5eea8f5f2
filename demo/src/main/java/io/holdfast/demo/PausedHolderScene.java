package io.holdfast.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The holder of a lock stands still past its lease, between looking at the lease and writing. The next one takes over;
 * then the first one runs on, is told that it lost the lock, and what it still writes is refused.
 */
final class PausedHolderScene implements Scene {

    private static final String NAME = "4 holder paused";
    private static final String EXPECTED = "told, stale write refused";

    private final Duration lease;

    PausedHolderScene(Duration lease) {
        this.lease = lease;
    }

    @Override
    public String title() {
        return "The holder is paused (SIGSTOP) past its lease, just before it writes";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        if (!WorkerProcess.canPause()) {
            progress.line("Skipped: this system has no SIGSTOP.");
            return Result.skipped(NAME, EXPECTED, "skipped, no SIGSTOP here");
        }
        WorkerProcess first = crew.workers().get(0);
        WorkerProcess second = crew.workers().get(1);
        first.tell("write");
        long token = first.await("granted").number(0);
        first.await("checked");
        Thread.sleep(lease.toMillis() / 4); // it holds the lock for a moment, as one would
        first.pause();
        long paused = System.nanoTime();
        progress.line(first.name() + " has the lock (token " + token + "), checks it, and is paused");

        second.tell("write");
        Takeover takeover = Takeover.await(second, paused, lease, "the lease to run out", progress);
        second.tell("go");
        second.await("accepted");
        second.await("unlocked");
        progress.line(String.format(
                "%s gets the lock (token %d) %s later, and writes",
                second.name(), takeover.token(), Text.seconds(takeover.after())));

        progress.line(first.name() + " is resumed, and writes as if nothing had happened:");
        first.resume();
        first.tell("go");
        boolean guarded = judge(hear(first), token, progress);
        boolean untouched = crew.data().document().equals("by " + second.name());
        progress.verdict(untouched, "- the document is as " + (untouched ? second : first).name() + " left it");
        boolean ok = takeover.within(lease) && takeover.token() > token && guarded && untouched;
        return Result.of(NAME, EXPECTED, ok ? EXPECTED : "see above", ok);
    }

    /** What the resumed holder reports, in whatever order; missing is what it does not report in time. */
    private Map<String, Report> hear(WorkerProcess worker) throws InterruptedException {
        Map<String, Report> heard = new HashMap<>();
        while (!heard.keySet().containsAll(Set.of("refused", "valid", "lost", "told"))) {
            Optional<Report> report = worker.poll(lease);
            if (report.isEmpty()) {
                break;
            }
            heard.put(report.get().word(), report.get());
        }
        return heard;
    }

    private static boolean judge(Map<String, Report> heard, long token, Progress progress) {
        boolean refused = heard.containsKey("refused");
        boolean invalid =
                heard.containsKey("valid") && heard.get("valid").detail(0).equals("false");
        boolean told = heard.containsKey("told");
        boolean thrown = heard.containsKey("lost");
        progress.verdict(refused, "- its write with token " + token + " is " + (refused ? "refused" : "ACCEPTED"));
        progress.verdict(invalid, "- isValid() is " + (invalid ? "false" : "TRUE"));
        progress.verdict(told, "- its onLost action has " + (told ? "" : "NOT ") + "run");
        progress.verdict(thrown, "- unlock() has " + (thrown ? "thrown LeaseLostException" : "NOT thrown"));
        return refused && invalid && told && thrown;
    }
}
