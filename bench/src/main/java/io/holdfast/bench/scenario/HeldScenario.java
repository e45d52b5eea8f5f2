package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Crew;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.ServerStats;
import io.holdfast.bench.stage.Stage;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Findings;
import io.holdfast.bench.worker.Tasks;
import io.holdfast.bench.worker.Voice;
import io.holdfast.bench.worker.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What it costs to have many locks at the same time. */
final class HeldScenario implements Scenario {

    static final Metric BYTES =
            Metric.less("bytes", "heap for each lock", Unit.BYTES).asHeadline();
    private static final Metric SERVER_BYTES = Metric.less("serverBytes", "server memory for each lock", Unit.BYTES)
            .asHeadline();
    static final Metric CPU =
            Metric.less("clientCpu", "client CPU to keep them", Unit.PERCENT).asHeadline();
    static final Metric GROWTH = Metric.less("growth", "one of many costs so much of one of few", Unit.TIMES)
            .asHeadline();
    private static final Metric TAKE =
            Metric.less("take", "time to take them all", Unit.SECONDS).asHeadline();
    private static final Metric COMMANDS = Metric.less("commands", "script calls to keep them", Unit.PER_SECOND)
            .asHeadline();
    private static final Metric SERVER = Metric.less("serverCpu", "server CPU to keep them", Unit.PERCENT);
    private static final Metric FEW = Metric.less("few", "CPU to renew one lock once, of few", Unit.MICROS);
    private static final Metric MANY = Metric.less("many", "CPU to renew one lock once, of many", Unit.MICROS);

    /** Short, so that there are several renewals to look at; every contestant renews after a third of it. */
    private static final double LEASE_SECONDS = 6;

    @Override
    public String id() {
        return "held";
    }

    @Override
    public String title() {
        return "100,000 held locks";
    }

    @Override
    public String about() {
        return "One process takes 100,000 locks, 1,000 at a time, and keeps them; the lease is 6 s. CPU (of one core) and script calls"
                + " are counted while they are renewed, less what the idle client needs. Then the same with 1,000 locks:"
                + " one of many should cost no more than one of few. Another client must not get any of them.";
    }

    @Override
    public List<Metric> metrics() {
        return List.of(TAKE, BYTES, SERVER_BYTES, CPU, COMMANDS, GROWTH, SERVER, FEW, MANY);
    }

    @Override
    public boolean fits(Contestant contestant) {
        // A bare lock is not renewed; Spring's registry can't be asked for many at a time, and takes minutes.
        return contestant != Contestant.BARE && !contestant.isSpring();
    }

    @Override
    public boolean varies() {
        return false;
    }

    @Override
    public double seconds(Pace pace) {
        return pace.quick() ? 6 : 2 * keepSeconds(pace) + 12;
    }

    private static int many(Pace pace) {
        return pace.quick() ? 2_000 : 100_000;
    }

    private static int few(Pace pace) {
        return pace.quick() ? 500 : 1_000;
    }

    private static double keepSeconds(Pace pace) {
        return pace.quick() ? LEASE_SECONDS / 3 : LEASE_SECONDS * 4 / 3;
    }

    private record Keeping(
            Findings found, double clientSeconds, ServerStats server, double serverBytes, double seconds) {

        /** Of client and server, for one lock and one renewal of it. */
        double microsPerRenewal() {
            double renewals = found.get(Findings.COUNTED) * seconds / (LEASE_SECONDS / 3);
            return (clientSeconds + server.cpuSeconds()) * 1e6 / renewals;
        }
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Keeping many = keep(contestant, stage, many(stage.pace()));
        double locks = many.found.get(Findings.COUNTED);
        Sample sample = Sample.of(TAKE, many.found.get(Findings.TOOK) / 1e9);
        if (contestant == Contestant.CEILING) {
            return sample;
        }
        Keeping few = keep(contestant, stage, few(stage.pace()));
        return sample.put(BYTES, many.found.get(Findings.HEAP) / locks)
                .put(SERVER_BYTES, many.serverBytes / locks)
                .put(CPU, 100 * many.clientSeconds / many.seconds)
                .put(COMMANDS, many.server.scriptCalls() / many.seconds)
                .put(SERVER, 100 * many.server.cpuSeconds() / many.seconds)
                .put(FEW, few.microsPerRenewal())
                .put(MANY, many.microsPerRenewal())
                .put(GROWTH, many.microsPerRenewal() / few.microsPerRenewal());
    }

    private static Keeping keep(Contestant contestant, Stage stage, int locks)
            throws IOException, InterruptedException {
        long lease = (long) (LEASE_SECONDS * 1_000);
        long idle = stage.pace().quick() ? 200 : 2_000;
        Map<String, Object> more = contestant == Contestant.CEILING
                ? Map.of(Assignment.IDLE_MILLIS, idle)
                : Map.of(Assignment.IDLE_MILLIS, idle, Assignment.LEASE_MILLIS, lease);
        try (Crew crew = stage.crew(contestant, Tasks.HELD, 1, locks, more)) {
            double empty = stage.server().memoryBytes();
            Window window = crew.go(0, contestant == Contestant.CEILING ? 0 : keepSeconds(stage.pace()));
            crew.await(Voice.KEEPING);
            ServerStats before = stage.server();
            crew.await(Voice.KEPT);
            ServerStats during = stage.server().since(before);
            Findings found = crew.findings(window).get(0);
            double idleSeconds = found.get(Findings.IDLE) / 1e9 * window.seconds();
            double seconds = Math.max(0, found.get(Findings.CPU) / 1e9 - idleSeconds);
            return new Keeping(found, seconds, during, before.memoryBytes() - empty, window.seconds());
        }
    }
}
