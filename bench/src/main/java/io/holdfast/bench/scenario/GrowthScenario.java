package io.holdfast.bench.scenario;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.stage.Pace;
import io.holdfast.bench.stage.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Whether a crowd before one lock slows it down. */
final class GrowthScenario implements Scenario {

    private static final Series PAIRS =
            new Series("pairs", "pairs per second", Unit.PER_SECOND, true, "threads", List.of(10, 100, 1_000));
    private static final Metric KEPT = Metric.more("kept", "throughput with 1,000, of that with 10", Unit.TIMES)
            .asHeadline();

    @Override
    public String id() {
        return "growth";
    }

    @Override
    public String title() {
        return "10 → 1,000 threads waiting";
    }

    @Override
    public String about() {
        return "10, 100 and then 1,000 threads of one process want the same lock all the time. What is asked is how much"
                + " of the throughput is left.";
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>(List.of(KEPT));
        metrics.addAll(PAIRS.metrics());
        return metrics;
    }

    @Override
    public List<Series> series() {
        return List.of(PAIRS);
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
        return PAIRS.sizes().size() * scenario(1).seconds(pace);
    }

    @Override
    public Sample measure(Contestant contestant, Stage stage) throws IOException, InterruptedException {
        Sample sample = new Sample();
        List<Double> measured = new ArrayList<>();
        for (int threads : PAIRS.sizes()) {
            double pairs = Objects.requireNonNull(
                    scenario(threads).measure(contestant, stage).values().get(PairsScenario.PAIRS.id()));
            measured.add(pairs);
            sample.put(PAIRS.at(threads), pairs);
        }
        double first = measured.get(0);
        double last = measured.get(measured.size() - 1);
        return sample.put(KEPT, first == 0 ? 0 : last / first);
    }

    private static PairsScenario scenario(int threads) {
        return new PairsScenario("", "", "", 1, threads, 1);
    }
}
