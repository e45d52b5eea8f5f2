package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.ServerStats;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A read/write lock that is read most of the time. */
final class ReadWriteScenario implements Scenario {

    private static final int PROCESSES = 4;
    private static final int THREADS = 4;

    private static final Metric PAIRS =
            Metric.more("pairs", "lock + unlock per second", Unit.PER_SECOND).asHeadline();
    private static final Metric WRITES = Metric.more("writes", "of these, for writing", Unit.PER_SECOND);
    private static final Metric P50 = Metric.less("p50", "one read, median", Unit.MICROS);
    private static final Metric P99 = Metric.less("p99", "one read, 99 %", Unit.MICROS);
    private static final Metric LONGEST = Metric.less("longestWrite", "one write, the longest", Unit.MILLIS);
    private static final Metric CLIENT = Metric.less("clientCpu", "CPU of the clients per pair", Unit.MICROS);
    private static final Metric SERVER = Metric.less("serverCpu", "CPU of the server per pair", Unit.MICROS);

    @Override
    public String id() {
        return "readwrite";
    }

    @Override
    public String title() {
        return "Read/write lock, 95 % readers";
    }

    @Override
    public String about() {
        return "Four processes with four threads each take one read/write lock all the time, 95 times of 100 for reading."
                + " A writer writes a pair of counts one after the other; readers must never see them differ or change,"
                + " and a writer must never find a reader inside.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(PAIRS, WRITES, P50, P99, LONGEST, CLIENT, SERVER);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return contestant.hasFamily();
    }

    @Override
    public double seconds(Pace pace) {
        return pace.estimate(PROCESSES);
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Map<String, Object> more = Map.of(Assignment.THREADS, THREADS);
        try (Crew crew = stage.crew(contestant, Tasks.READ_WRITE, PROCESSES, 1, more)) {
            Window window = crew.go(stage.pace().warmUp(), stage.pace().seconds());
            ServerStats during = ServerStats.within(window, stage::server);
            return sample(crew.findings(window), window, during);
        }
    }

    private static Sample sample(List<Findings> findings, Window window, ServerStats during) {
        Histogram reads = new Histogram(2);
        findings.forEach(found -> reads.add(found.latencies()));
        double pairs = PairsScenario.sum(findings, Findings.COUNTED);
        if (pairs == 0) {
            return Sample.failed("nobody got the lock in " + window.seconds() + " s");
        }
        return Sample.of(PAIRS, pairs / window.seconds())
                .put(WRITES, PairsScenario.sum(findings, Findings.WRITTEN) / window.seconds())
                .put(P50, reads.getValueAtPercentile(50) / 1e3)
                .put(P99, reads.getValueAtPercentile(99) / 1e3)
                .put(LONGEST, PairsScenario.most(findings, Findings.LONGEST_WRITE) / 1e6)
                .put(CLIENT, PairsScenario.sum(findings, Findings.CPU) / pairs / 1e3)
                .put(SERVER, during.cpuSeconds() / pairs * 1e6);
    }
}
