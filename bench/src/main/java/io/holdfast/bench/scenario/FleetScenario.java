package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.ServerStats;
import io.holdfast.bench.stage.Servers;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.stage.WorkerFailure;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** What a lock costs, and how evenly it is shared, as more and more clients want it. */
final class FleetScenario implements Scenario {

    private static final Set<Contestant> CONTESTANTS = EnumSet.of(
            Contestant.HOLDFAST,
            Contestant.REDISSON,
            Contestant.SPRING_PUBSUB,
            Contestant.CURATOR,
            Contestant.SPRING_JDBC);

    /** As many for two clients as for a hundred: what a JVM costs the machine is the same at all sizes. */
    private static final int PROCESSES = 2;

    private static final long HOLD_MICROS = 2_000;

    private final Store store;
    private final boolean fair;
    private final List<Integer> sizes;

    private final Series holds;
    private final Series calls;
    private final Series server;
    private final Series even;
    private final Series longest;
    private final Series fewest;
    private final Series most;
    private final Metric kept;
    private final Metric mostCalls;
    private final Metric leastEven;

    FleetScenario(Store store, boolean fair, List<Integer> sizes) {
        this.store = store;
        this.fair = fair;
        this.sizes = sizes;
        this.holds = series("holds", "holds per second", Unit.PER_SECOND, true);
        this.calls = series("calls", "script calls a hold", Unit.COUNT, false);
        this.server = series("server", "server time of scripts a hold", Unit.MICROS, false);
        this.even = series("even", "fewest holds of a client, of the most", Unit.PERCENT, true);
        this.longest = series("longest", "longest wait", Unit.MILLIS, false);
        this.fewest = series("fewest", "fewest holds of a client", Unit.COUNT, true);
        this.most = series("most", "most holds of a client", Unit.COUNT, false);
        this.kept = Metric.more(
                "kept",
                "holds per second with %d clients, of those with %d".formatted(last(), sizes.get(0)),
                Unit.TIMES);
        this.mostCalls = Metric.less("calls", "script calls a hold, the most of all sizes", Unit.COUNT);
        this.leastEven =
                Metric.more("even", "fewest holds of a client, of the most; the least of all sizes", Unit.PERCENT);
    }

    private Series series(String id, String title, Unit unit, boolean more) {
        return new Series(id, title, unit, more, "clients", sizes);
    }

    private int last() {
        return sizes.get(sizes.size() - 1);
    }

    @Override
    public String id() {
        return "fleet-" + store.id() + (fair ? "-fair" : "");
    }

    @Override
    public String title() {
        return "Fleet, " + store.label() + (fair ? ", fair" : "");
    }

    @Override
    public String about() {
        return "Clients with a connection and a thread each want one %s lock all the time and hold it for 2 ms: first %d, at last %d, in"
                        .formatted(fair ? "fair" : "plain", sizes.get(0), last())
                + " two processes. A hand-over should cost the same however many wait, and each client should get its turn.";
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public List<Series> series() {
        return store.isRedis() ? List.of(holds, calls, server, even, longest) : List.of(holds, even, longest);
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        // The largest size first: a run prints the first metric that has a value as soon as the scenario is over.
        holds.metrics().forEach(metric -> metrics.add(0, metric));
        metrics.set(0, holds.last().asHeadline());
        metrics.add(kept);
        metrics.add(leastEven);
        if (store.isRedis()) {
            metrics.add(mostCalls);
        }
        Stream.concat(series().stream().skip(1), Stream.of(fewest, most))
                .forEach(series -> metrics.addAll(series.metrics()));
        return metrics;
    }

    @Override
    public boolean fits(Contestant contestant) {
        return CONTESTANTS.contains(contestant) && (!fair || contestant.hasFairLocks());
    }

    @Override
    public boolean varies() {
        return false;
    }

    /** Clients go the same way with a fair lock. */
    @Override
    public boolean isQuick() {
        return !fair;
    }

    /** Seconds; a client has one thing to do, again and again, and most of the time it waits. */
    static double warmUp(Pace pace) {
        return pace.quick() ? pace.warmUp() : 3;
    }

    private static double counted(Pace pace) {
        return pace.quick() ? pace.seconds() : 6;
    }

    /** A quick run leaves the largest out: it takes longest to start. */
    private List<Integer> sizes(Pace pace) {
        return pace.quick() ? sizes.subList(0, sizes.size() - 1) : sizes;
    }

    @Override
    public double seconds(Pace pace) {
        return sizes(pace).stream()
                .mapToDouble(clients -> warmUp(pace) + counted(pace) + 1.5 + 0.05 * clients)
                .sum();
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Sample sample = new Sample();
        try (Servers servers = stage.servers(store)) {
            for (int clients : sizes(stage.pace())) {
                measure(contestant, clients, stage, servers, sample);
            }
        }
        values(sample, calls).max().ifPresent(value -> sample.put(mostCalls, value));
        values(sample, even).min().ifPresent(value -> sample.put(leastEven, value));
        double[] measured = values(sample, holds).toArray();
        return measured.length < sizes.size() ? sample : sample.put(kept, measured[measured.length - 1] / measured[0]);
    }

    private static DoubleStream values(Sample sample, Series series) {
        return series.metrics().stream()
                .flatMap(metric -> Stream.ofNullable(sample.values().get(metric.id())))
                .mapToDouble(Double::doubleValue);
    }

    private void measure(Contestant contestant, int clients, Stage stage, Servers servers, Sample sample)
            throws IOException, InterruptedException {
        Map<String, Object> more = Map.of(
                Assignment.URL, servers.url(),
                Assignment.CLIENTS, clients,
                Assignment.HOLD_MICROS, HOLD_MICROS,
                Assignment.FAIR, fair);
        try (Crew crew = stage.crew(contestant, Tasks.CONTEND, PROCESSES, 1, more)) {
            Window window = crew.go(warmUp(stage.pace()), counted(stage.pace()));
            ServerStats during = ServerStats.within(window, servers::stats);
            put(sample, clients, crew.findings(window), window, during);
        }
    }

    private void put(Sample sample, int clients, List<Findings> findings, Window window, ServerStats during) {
        double held = PairsScenario.sum(findings, Findings.COUNTED);
        if (held == 0) {
            throw new WorkerFailure("none of %d clients got the lock".formatted(clients));
        }
        double least = PairsScenario.least(findings, Findings.FEWEST);
        double highest = PairsScenario.most(findings, Findings.MOST);
        sample.put(holds.at(clients), held / window.seconds())
                .put(even.at(clients), 100 * least / highest)
                .put(longest.at(clients), PairsScenario.most(findings, Findings.LONGEST_WAIT) / 1e6)
                .put(fewest.at(clients), least)
                .put(most.at(clients), highest);
        if (store.isRedis()) {
            sample.put(calls.at(clients), during.scriptCalls() / held)
                    .put(server.at(clients), during.scriptMicros() / held);
        }
    }
}
