package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.stage.WorkerFailure;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether Redisson and Holdfast, which exclude each other on one name, both get it: a fleet that moves from one to the other. */
final class MixedScenario implements Scenario {

    private static final List<Contestant> PROCESSES =
            List.of(Contestant.HOLDFAST, Contestant.HOLDFAST, Contestant.REDISSON, Contestant.REDISSON);

    /** What a process of each library gets at least, with holds of that length. */
    private record Part(long holdMicros, String title, Metric redisson, Metric holdfast, Metric longest, Metric holds) {

        static Part of(long holdMillis) {
            String title = "held for " + (holdMillis == 0 ? "no time" : holdMillis + " ms");
            return new Part(
                    1_000 * holdMillis,
                    title,
                    turns(Contestant.REDISSON, holdMillis, title),
                    turns(Contestant.HOLDFAST, holdMillis, title),
                    Metric.less("longest" + holdMillis, title + ", longest wait of a thread", Unit.MILLIS)
                            .asHeadline(),
                    Metric.more("holds" + holdMillis, title + ", holds per second", Unit.PER_SECOND));
        }

        private static Metric turns(Contestant contestant, long holdMillis, String title) {
            return Metric.more(
                            contestant.id() + "Turns" + holdMillis,
                            title + ", turns of a " + contestant.label() + " process",
                            Unit.PERCENT)
                    .asHeadline();
        }
    }

    private static final List<Part> PARTS = List.of(Part.of(2), Part.of(0));

    @Override
    public String id() {
        return "mixed";
    }

    @Override
    public String title() {
        return "2 Redisson and 2 Holdfast processes, 1 lock";
    }

    @Override
    public String about() {
        return "Two Redisson and two Holdfast processes with a thread each want the same lock all the time, for eight seconds: first"
                + " they hold it for 2 ms, then they give it back at once. Holds of one process that follow each other are one turn;"
                + " the least share that a process of each library has of all turns, and how long a thread had to wait.";
    }

    @Override
    public List<Metric> metrics() {
        return PARTS.stream()
                .flatMap(part -> Stream.of(part.redisson(), part.holdfast(), part.longest(), part.holds()))
                .toList();
    }

    /** Both libraries are in one measurement, which is noted as that of Holdfast. */
    @Override
    public boolean fits(Contestant contestant) {
        return contestant == Contestant.HOLDFAST;
    }

    @Override
    public boolean varies() {
        return false;
    }

    private static double counted(Pace pace) {
        return pace.quick() ? pace.seconds() : 8;
    }

    @Override
    public double seconds(Pace pace) {
        return PARTS.size() * (FleetScenario.warmUp(pace) + counted(pace) + 2.5);
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Sample sample = new Sample();
        for (Part part : PARTS) {
            Map<String, Object> more =
                    Map.of(Assignment.CLIENTS, PROCESSES.size(), Assignment.HOLD_MICROS, part.holdMicros());
            try (Crew crew = stage.crew(PROCESSES, Tasks.CONTEND, 1, more)) {
                Window window = crew.go(FleetScenario.warmUp(stage.pace()), counted(stage.pace()));
                put(sample, part, crew.findings(window), window);
            }
        }
        return sample;
    }

    private static void put(Sample sample, Part part, List<Findings> findings, Window window) {
        double turns = PairsScenario.sum(findings, Findings.TURNS);
        if (turns == 0) {
            throw new WorkerFailure(part.title() + ": the lock did not go from one process to another");
        }
        sample.put(part.redisson(), 100 * leastTurns(Contestant.REDISSON, findings) / turns)
                .put(part.holdfast(), 100 * leastTurns(Contestant.HOLDFAST, findings) / turns)
                .put(part.longest(), PairsScenario.most(findings, Findings.LONGEST_WAIT) / 1e6)
                .put(part.holds(), PairsScenario.sum(findings, Findings.COUNTED) / window.seconds());
        String each = findings.stream()
                .sorted(Comparator.comparing(found -> found.get(Findings.PROCESS)))
                .map(found -> describe(found, turns))
                .collect(Collectors.joining("; "));
        sample.note(part.title(), each);
    }

    private static double leastTurns(Contestant library, List<Findings> findings) {
        List<Findings> its =
                findings.stream().filter(found -> library(found) == library).toList();
        return PairsScenario.least(its, Findings.TURNS);
    }

    private static Contestant library(Findings found) {
        return PROCESSES.get((int) found.get(Findings.PROCESS));
    }

    private static String describe(Findings found, double turns) {
        return "%s: %s of the turns, %s holds, longest wait %s"
                .formatted(
                        library(found).label(),
                        Unit.PERCENT.format(100 * found.get(Findings.TURNS) / turns),
                        Unit.COUNT.format(found.get(Findings.COUNTED)),
                        Unit.MILLIS.format(found.get(Findings.LONGEST_WAIT) / 1e6));
    }
}
