package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How long a lock takes from one process to another one that waits for it. */
final class HandoffScenario implements Scenario {

    static final Metric P50 =
            Metric.less("p50", "unlock to lock, median", Unit.MICROS).asHeadline();
    static final Metric P99 =
            Metric.less("p99", "unlock to lock, 99 %", Unit.MICROS).asHeadline();
    static final Metric MAX = Metric.less("max", "unlock to lock, the longest", Unit.MICROS);
    static final Metric COUNT = Metric.more("count", "how many were timed", Unit.COUNT);

    @Override
    public String id() {
        return "handoff";
    }

    @Override
    public String title() {
        return "Hand-off between processes";
    }

    @Override
    public String about() {
        return "Two processes pass one lock to and fro: from just before unlock() in one to just after lock() in the"
                + " other, which has been waiting for some milliseconds. Both read System.nanoTime, on Linux one clock"
                + " for all processes.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(P50, P99, MAX, COUNT);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestant != Contestant.CEILING;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.warmUp() + pace.seconds() + 2.2;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        return measure(contestant, stage, Map.of());
    }

    /** @param more what the processes are told besides */
    static Sample measure(Contestant contestant, Stage stage, Map<String, ?> more)
            throws IOException, InterruptedException {
        try (Crew crew = stage.crew(contestant, Tasks.HANDOFF, 2, 1, more)) {
            Window window = crew.go(stage.pace().warmUp(), stage.pace().seconds());
            Histogram latencies = new Histogram(3);
            for (Findings found : crew.findings(window)) {
                latencies.add(found.latencies());
            }
            if (latencies.getTotalCount() == 0) {
                return Sample.failed("not one hand-off in " + window.seconds() + " s");
            }
            return Sample.of(P50, latencies.getValueAtPercentile(50) / 1e3)
                    .put(P99, latencies.getValueAtPercentile(99) / 1e3)
                    .put(MAX, latencies.getMaxValue() / 1e3)
                    .put(COUNT, (double) latencies.getTotalCount())
                    .latencies(latencies);
        }
    }
}
