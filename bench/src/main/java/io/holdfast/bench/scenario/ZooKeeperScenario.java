package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Servers;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** How many times in a second locks in ZooKeeper are taken and given back. Each appearance has a server of its own. */
record ZooKeeperScenario(String id, String title, String about, int threads, int locks) implements Scenario {

    private static final Metric PAIRS = PairsScenario.PAIRS;
    private static final Metric P50 = Metric.less("p50", "one pair, median", Unit.MICROS);
    private static final Metric P99 = Metric.less("p99", "one pair, 99 %", Unit.MICROS);
    private static final Metric CLIENT = Metric.less("clientCpu", "CPU of the client per pair", Unit.MICROS);

    /** There are far fewer pairs in a second than elsewhere, so it takes longer until the code is compiled. */
    private static final double WARMER = 2;

    @Override
    public Store store() {
        return Store.ZOOKEEPER;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(PAIRS, P50, P99, CLIENT);
    }

    @Override
    public boolean fits(Contestant contestant) {
        return true;
    }

    @Override
    public double seconds(Pace pace) {
        return warmUp(pace) + pace.seconds() + 3;
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        try (Servers server = stage.servers(store())) {
            // Where every thread has a lock to itself, no other thread would ever try it.
            Map<String, Object> more = Map.of(
                    Assignment.URL, server.url(), Assignment.THREADS, threads, Assignment.STRANGER, threads == locks);
            try (Crew crew = stage.crew(contestant, Tasks.PAIRS, 1, locks, more)) {
                Window window = crew.go(warmUp(stage.pace()), stage.pace().seconds());
                return sample(crew.findings(window).get(0), window);
            }
        }
    }

    private static double warmUp(Pace pace) {
        return pace.quick() ? pace.warmUp() : WARMER * pace.warmUp();
    }

    private static Sample sample(Findings found, Window window) {
        double pairs = found.get(Findings.COUNTED);
        Sample sample = Sample.of(PAIRS, pairs / window.seconds());
        if (pairs > 0) {
            Histogram latencies = found.latencies();
            sample.put(P50, latencies.getValueAtPercentile(50) / 1e3)
                    .put(P99, latencies.getValueAtPercentile(99) / 1e3)
                    .put(CLIENT, found.get(Findings.CPU) / pairs / 1e3);
        }
        return sample;
    }
}
