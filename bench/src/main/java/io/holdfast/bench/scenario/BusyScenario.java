package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** How fast one is told that a lock is taken. */
final class BusyScenario implements Scenario {

    private static final Metric TRIES =
            Metric.more("tries", "tryLock() per second", Unit.PER_SECOND).asHeadline();
    private static final Metric P50 = Metric.less("p50", "one tryLock(), median", Unit.MICROS);
    private static final Metric P99 = Metric.less("p99", "one tryLock(), 99 %", Unit.MICROS);

    @Override
    public String id() {
        return "busy";
    }

    @Override
    public String title() {
        return "tryLock on a busy lock";
    }

    @Override
    public String about() {
        return "One process has the lock; one thread of another one calls tryLock() over and over, and must never get it.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(TRIES, P50, P99);
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
        return pace.estimate(2);
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        try (Crew crew = stage.crew(contestant, Tasks.BUSY, 2, 1, Map.of())) {
            Window window = crew.go(stage.pace().warmUp(), stage.pace().seconds());
            // The holder has nothing to report.
            Findings found = crew.findings(window).stream()
                    .max(Comparator.comparing(its -> its.get(Findings.COUNTED)))
                    .orElseThrow();
            return Sample.of(TRIES, found.get(Findings.COUNTED) / window.seconds())
                    .put(P50, found.latencies().getValueAtPercentile(50) / 1e3)
                    .put(P99, found.latencies().getValueAtPercentile(99) / 1e3);
        }
    }
}
