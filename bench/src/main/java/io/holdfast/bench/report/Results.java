package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/** Everything that was measured. A contestant whose lock was broken, or that failed in one round, has no numbers there. */
public final class Results {

    private final Map<Scenario, Map<Contestant, List<Sample>>> samples = new LinkedHashMap<>();

    /** One contestant's value of a metric. */
    public record Value(Contestant contestant, Spread spread) {}

    public void add(Scenario scenario, Contestant contestant, Sample sample) {
        samples.computeIfAbsent(scenario, key -> new EnumMap<>(Contestant.class))
                .computeIfAbsent(contestant, key -> new ArrayList<>())
                .add(sample);
    }

    public List<Scenario> scenarios() {
        return List.copyOf(samples.keySet());
    }

    public Optional<Scenario> scenario(String id) {
        return samples.keySet().stream()
                .filter(scenario -> scenario.id().equals(id))
                .findFirst();
    }

    /** The contestants of a scenario. */
    public List<Contestant> contestants(Scenario scenario) {
        return List.copyOf(samples.getOrDefault(scenario, Map.of()).keySet());
    }

    /** The contestants of all scenarios. */
    public List<Contestant> contestants() {
        return samples.values().stream()
                .flatMap(map -> map.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    public List<Sample> samples(Scenario scenario, Contestant contestant) {
        return samples.getOrDefault(scenario, Map.of()).getOrDefault(contestant, List.of());
    }

    /** The first round that went wrong; a broken lock before any other failure. */
    public Optional<Sample> fault(Scenario scenario, Contestant contestant) {
        return samples(scenario, contestant).stream()
                .filter(sample -> sample.fault() != null)
                .min(Comparator.comparing(sample -> sample.isBroken() ? 0 : 1));
    }

    public Optional<Spread> spread(Scenario scenario, Contestant contestant, Metric metric) {
        if (fault(scenario, contestant).isPresent()) {
            return Optional.empty();
        }
        List<Double> values = samples(scenario, contestant).stream()
                .map(sample -> sample.values().get(metric.id()))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The best among these. */
    public Optional<Value> best(Scenario scenario, Metric metric, Predicate<Contestant> among) {
        Comparator<Value> byMedian =
                Comparator.comparing(value -> value.spread().median());
        return contestants(scenario).stream()
                .filter(among)
                .flatMap(contestant ->
                        spread(scenario, contestant, metric).map(spread -> new Value(contestant, spread)).stream())
                .max(metric.more() ? byMedian : byMedian.reversed());
    }

    /** Holdfast's value as a multiple of the best among these. */
    public Optional<Double> ratio(Scenario scenario, Metric metric, Predicate<Contestant> among) {
        Optional<Spread> ours = spread(scenario, Contestant.HOLDFAST, metric);
        Optional<Value> theirs = best(scenario, metric, among);
        if (ours.isEmpty() || theirs.isEmpty() || theirs.get().spread().median() == 0) {
            return Optional.empty();
        }
        return Optional.of(ours.get().median() / theirs.get().spread().median());
    }

    /** The latencies of all rounds together. */
    public Optional<Histogram> latencies(Scenario scenario, Contestant contestant) {
        if (fault(scenario, contestant).isPresent()) {
            return Optional.empty();
        }
        Histogram all = new Histogram(3);
        samples(scenario, contestant).stream()
                .map(Sample::latencies)
                .filter(Objects::nonNull)
                .forEach(all::add);
        return all.getTotalCount() == 0 ? Optional.empty() : Optional.of(all);
    }
}
