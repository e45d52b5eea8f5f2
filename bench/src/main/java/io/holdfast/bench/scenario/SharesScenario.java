package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Whether two processes that want the same lock both get it. */
final class SharesScenario implements Scenario {

    private static final int PROCESSES = 2;

    private record Size(int threads, Metric least, Metric longest, Metric pairs) {

        static Size of(int threads) {
            String each = threads + (threads == 1 ? " thread each" : " threads each");
            return new Size(
                    threads,
                    Metric.more("least" + threads, each + ", least share of a process", Unit.PERCENT)
                            .asHeadline(),
                    Metric.less("longest" + threads, each + ", longest wait", Unit.MILLIS)
                            .asHeadline(),
                    Metric.more("of" + threads, each + ", pairs per second", Unit.PER_SECOND));
        }
    }

    /** Both with a crowd, which could hand the lock on among themselves; and both with one thread, which could barge. */
    private static final List<Size> SIZES = List.of(Size.of(4), Size.of(1));

    @Override
    public String id() {
        return "shares";
    }

    @Override
    public String title() {
        return "2 processes, 1 lock, 10 s";
    }

    @Override
    public String about() {
        return "Two processes want the same lock all the time, for ten seconds: how many of the holds the one that got"
                + " less has had, and how long somebody had to wait for one lock and unlock. With four threads each,"
                + " then with one.";
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (Size size : SIZES) {
            metrics.addAll(List.of(size.least(), size.longest(), size.pairs()));
        }
        return metrics;
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestant == Contestant.HOLDFAST || contestant == Contestant.REDISSON;
    }

    @Override
    public boolean varies() {
        return false;
    }

    private static double counted(Pace pace) {
        return pace.quick() ? pace.seconds() : 10;
    }

    @Override
    public double seconds(Pace pace) {
        return SIZES.size() * (pace.estimate(PROCESSES) - pace.seconds() + counted(pace));
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Sample sample = new Sample();
        for (Size size : SIZES) {
            measure(contestant, stage, size, sample);
        }
        return sample;
    }

    private static void measure(Contestant contestant, Stage stage, Size size, Sample sample)
            throws IOException, InterruptedException {
        Map<String, Object> more = Map.of(Assignment.THREADS, size.threads());
        try (Crew crew = stage.crew(contestant, Tasks.PAIRS, PROCESSES, 1, more)) {
            Window window = crew.go(stage.pace().warmUp(), counted(stage.pace()));
            List<Findings> findings = crew.findings(window);
            double pairs = PairsScenario.sum(findings, Findings.COUNTED);
            Histogram latencies = new Histogram(2);
            findings.forEach(found -> latencies.add(found.latencies()));
            sample.put(size.least(), pairs == 0 ? 0 : 100 * PairsScenario.least(findings, Findings.COUNTED) / pairs)
                    .put(size.longest(), latencies.getMaxValue() / 1e6)
                    .put(size.pairs(), pairs / window.seconds());
        }
    }
}
