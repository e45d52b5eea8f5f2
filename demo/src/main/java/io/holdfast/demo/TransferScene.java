package io.holdfast.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Processes move money between accounts, each time under the locks of two; none of it is lost. */
final class TransferScene implements Scene {

    private static final long SUM = SharedData.ACCOUNTS * SharedData.DEPOSIT;

    private final Duration duration;

    TransferScene(Duration duration) {
        this.duration = duration;
    }

    @Override
    public String title() {
        return "A multi-lock: money moves between " + SharedData.ACCOUNTS + " accounts, two locked at a time";
    }

    @Override
    public Result play(Crew crew, Progress progress) throws IOException, InterruptedException {
        for (WorkerProcess worker : crew.workers()) {
            worker.tell("transfer " + duration);
        }
        List<Report> done =
                crew.awaitDone(1, duration, progress, () -> describe(crew.data().balances()));
        long transfers = done.stream().mapToLong(report -> report.number(0)).sum();
        List<Long> balances = crew.data().balances();
        boolean ok = sum(balances) == SUM && transfers > 0;
        progress.verdict(
                ok, Text.count(transfers) + " transfers: " + describe(balances) + (ok ? " as before." : " INSTEAD."));
        String seen = Text.count(sum(balances)) + ", " + Text.count(transfers) + " transfers";
        return Result.of("8 multi-lock", "the sum stays " + Text.count(SUM), seen, ok);
    }

    private static String describe(List<Long> balances) {
        return String.join(" + ", balances.stream().map(Text::count).toList()) + " = " + Text.count(sum(balances));
    }

    private static long sum(List<Long> balances) {
        return balances.stream().mapToLong(Long::longValue).sum();
    }
}
