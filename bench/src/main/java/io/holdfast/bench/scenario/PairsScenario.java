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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How many times in a second locks are taken and given back, and what that costs. */
record PairsScenario(String id, String title, String about, int processes, int threads, int locks, boolean fair)
        implements Scenario {

    static final Metric PAIRS =
            Metric.more("pairs", "lock + unlock per second", Unit.PER_SECOND).asHeadline();
    private static final Metric P50 = Metric.less("p50", "one pair, median", Unit.MICROS);
    private static final Metric P99 = Metric.less("p99", "one pair, 99 %", Unit.MICROS);
    private static final Metric MAX = Metric.less("max", "one pair, the longest", Unit.MICROS);
    private static final Metric CLIENT = Metric.less("clientCpu", "CPU of the clients per pair", Unit.MICROS);
    private static final Metric SERVER = Metric.less("serverCpu", "CPU of the server per pair", Unit.MICROS);
    private static final Metric CALLS =
            Metric.less("calls", "commands on the server per pair, inside scripts too", Unit.COUNT);
    private static final Metric LEAST = Metric.more("leastShare", "least share of a process", Unit.PERCENT);

    PairsScenario(String id, String title, String about, int processes, int threads, int locks) {
        this(id, title, about, processes, threads, locks, false);
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>(List.of(PAIRS, P50, P99, MAX, CLIENT, SERVER, CALLS));
        if (processes > 1) {
            metrics.add(LEAST);
        }
        return metrics;
    }

    @Override
    public boolean fits(Contestant contestant) {
        return fair ? contestant.hasFairLocks() : contestant != Contestant.CEILING || processes == 1;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.estimate(processes);
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        String task = contestant == Contestant.CEILING ? Tasks.CHAINS : Tasks.PAIRS;
        // Where every thread has a lock to itself, no other thread would ever try it.
        boolean stranger = processes == 1 && threads == locks;
        Map<String, Object> more =
                Map.of(Assignment.THREADS, threads, Assignment.STRANGER, stranger, Assignment.FAIR, fair);
        try (Crew crew = stage.crew(contestant, task, processes, locks, more)) {
            Window window = crew.go(stage.pace().warmUp(), stage.pace().seconds());
            ServerStats during = ServerStats.within(window, stage::server);
            return sample(crew.findings(window), window, during);
        }
    }

    private Sample sample(List<Findings> findings, Window window, ServerStats during) {
        Histogram latencies = new Histogram(2);
        findings.forEach(found -> latencies.add(found.latencies()));
        double pairs = sum(findings, Findings.COUNTED);
        Sample sample = Sample.of(PAIRS, pairs / window.seconds());
        if (pairs > 0) {
            sample.put(P50, latencies.getValueAtPercentile(50) / 1e3)
                    .put(P99, latencies.getValueAtPercentile(99) / 1e3)
                    .put(MAX, latencies.getMaxValue() / 1e3)
                    .put(CLIENT, sum(findings, Findings.CPU) / pairs / 1e3)
                    .put(SERVER, during.cpuSeconds() / pairs * 1e6)
                    .put(CALLS, during.allCalls() / pairs);
            if (processes > 1) {
                sample.put(LEAST, 100 * least(findings, Findings.COUNTED) / pairs);
            }
        }
        return sample;
    }

    static double least(List<Findings> findings, String name) {
        return findings.stream().mapToDouble(found -> found.get(name)).min().orElse(0);
    }

    static double most(List<Findings> findings, String name) {
        return findings.stream().mapToDouble(found -> found.get(name)).max().orElse(0);
    }

    static double sum(List<Findings> findings, String name) {
        return findings.stream().mapToDouble(found -> found.get(name)).sum();
    }
}
