package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** How long a process that has just begun waits for its first lock. */
final class StartupScenario implements Scenario {

    private static final Metric FIRST = Metric.less("first", "connect to the first lock, in a new JVM", Unit.MILLIS)
            .asHeadline();

    @Override
    public String id() {
        return "startup";
    }

    @Override
    public String title() {
        return "Start-up";
    }

    @Override
    public String about() {
        return "A new JVM that has loaded none of the library's classes connects and takes a lock. The start of the JVM"
                + " itself is not counted. Several JVMs one after the other; the median of them.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(FIRST);
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
        return times(pace) * 1.2;
    }

    private static int times(Pace pace) {
        return pace.quick() ? 1 : 5;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < times(stage.pace()); i++) {
            try (Crew crew = stage.crew(contestant, Tasks.STARTUP, 1, 1, Map.of())) {
                Findings found = crew.findings(crew.go(0, 0)).get(0);
                millis.add(found.get(Findings.TOOK) / 1e6);
            }
        }
        Collections.sort(millis);
        return Sample.of(FIRST, millis.get(millis.size() / 2));
    }
}
