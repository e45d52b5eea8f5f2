package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Scenarios;
import io.holdfast.bench.stage.Pace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** Invented results, with every case that a report has to cope with. */
final class Figures {

    static final String BROKEN = "two had the same lock, seen <3> times";
    static final String FAILED = "no answer & no lock";

    private Figures() {}

    static Setting setting(boolean quick, double load) {
        return new Setting(
                Instant.parse("2025-01-01T00:00:00Z"),
                2,
                load,
                "Linux amd64",
                "A Java 17",
                "7.0.15",
                true,
                new Pace(3, 5, quick),
                3,
                Map.of("redisson", "4.7.0"));
    }

    /** Each contestant is a few times slower than the one before; Redisson is broken once and Spring fails once. */
    static Results results() {
        Results results = new Results();
        SplittableRandom random = new SplittableRandom(1);
        for (Scenario scenario : Scenarios.ALL) {
            for (Contestant contestant : Contestant.values()) {
                if (!contestant.uses(scenario.store()) || !scenario.fits(contestant)) {
                    continue;
                }
                for (int round = 0; round < (scenario.varies() ? 3 : 1); round++) {
                    results.add(scenario, contestant, sample(scenario, contestant, random));
                }
            }
        }
        results.add(scenario("busy"), Contestant.REDISSON, Sample.broken(BROKEN));
        results.add(scenario("growth"), Contestant.SPRING_SPIN, Sample.failed(FAILED));
        return results;
    }

    static Scenario scenario(String id) {
        return Scenarios.named(id).get(0);
    }

    static Metric metric(Scenario scenario, String id) {
        return scenario.metrics().stream()
                .filter(metric -> metric.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    // The order is that of the declaration; it only has to be different for each.
    private static int rank(Contestant contestant) {
        return List.of(Contestant.values()).indexOf(contestant);
    }

    private static Sample sample(Scenario scenario, Contestant contestant, SplittableRandom random) {
        Sample sample = new Sample();
        for (Metric metric : scenario.metrics()) {
            double factor = Math.pow(2.7, rank(contestant));
            double value = metric.more() ? 40_000 / factor : 150 * factor;
            if (scenario.id().equals("reentry") && contestant == Contestant.HOLDFAST) {
                value = 95e6;
            }
            sample.put(metric, value * random.nextDouble(0.9, 1.1));
        }
        if (scenario.id().equals("handoff")) {
            Histogram latencies = new Histogram(3);
            for (int i = 0; i < 2_000; i++) {
                double tail = Math.pow(1 - random.nextDouble(), -0.4);
                latencies.recordValue((long) (150_000 * (1 + rank(contestant)) * tail));
            }
            sample.latencies(latencies);
        }
        return sample.note("a note", "evalsha 2.00 <&>");
    }
}
