package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.CommandTap;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How many commands reach the server for a lock and an unlock. */
final class CommandsScenario implements Scenario {

    static final Metric ALONE =
            Metric.less("alone", "sent per pair, alone", Unit.COUNT).asHeadline();
    private static final Metric CONTENDED =
            Metric.less("contended", "sent per pair, contended", Unit.COUNT).asHeadline();
    private static final Metric INSIDE_ALONE = Metric.less("insideAlone", "inside scripts, alone", Unit.COUNT);
    private static final Metric INSIDE_CONTENDED =
            Metric.less("insideContended", "inside scripts, contended", Unit.COUNT);

    /** Time is not counted here; long enough for the slowest. */
    private static final double UNLIMITED = 60;

    @Override
    public String id() {
        return "commands";
    }

    @Override
    public String title() {
        return "Commands for lock + unlock";
    }

    @Override
    public String about() {
        return "What clients send for one pair, heard with MONITOR, which tells it from what scripts run inside. Alone: one"
                + " thread. Contended: 4 processes with 4 threads each. Counted, not timed.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(ALONE, CONTENDED, INSIDE_ALONE, INSIDE_CONTENDED);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestant != Contestant.CEILING;
    }

    @Override
    public boolean varies() {
        return false;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.quick() ? 6 : 10;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Sample sample = new Sample();
        boolean quick = stage.pace().quick();
        count(contestant, stage, 1, 1, quick ? 200 : 2_000, sample, ALONE, INSIDE_ALONE);
        count(contestant, stage, 4, 4, quick ? 10 : 100, sample, CONTENDED, INSIDE_CONTENDED);
        return sample;
    }

    private static void count(
            Contestant contestant,
            Stage stage,
            int processes,
            int threads,
            int each,
            Sample sample,
            Metric sent,
            Metric inside)
            throws IOException, InterruptedException {
        boolean alone = processes * threads == 1;
        Map<String, Object> more =
                Map.of(Assignment.THREADS, threads, Assignment.PAIRS, each, Assignment.STRANGER, alone);
        try (Crew crew = stage.crew(contestant, Tasks.PAIRS, processes, 1, more);
                CommandTap tap = stage.tap()) {
            Window window = crew.go(0, UNLIMITED);
            double pairs = crew.findings(window).stream()
                    .mapToDouble(found -> found.get(Findings.ENTERED))
                    .sum();
            stage.drain(tap);
            long all = tap.sent().values().stream().mapToLong(Long::longValue).sum();
            sample.put(sent, all / pairs).put(inside, tap.inside() / pairs).note(sent.title(), list(tap, pairs));
        }
    }

    /** The most frequent first; what is sent once in a hundred pairs is noise. */
    private static String list(CommandTap tap, double pairs) {
        return tap.sent().entrySet().stream()
                .filter(entry -> entry.getValue() / pairs >= 0.005)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(entry -> String.format(Locale.ROOT, "%s %.2f", entry.getKey(), entry.getValue() / pairs))
                .collect(Collectors.joining(", "));
    }
}
