package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.LineChart.Point;
import io.holdfast.bench.report.LineChart.Tick;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The scenarios whose answer is a curve rather than a number. */
final class Curves {

    private static final List<Tick> PERCENTILES = List.of(
            new Tick(1, "0 %"),
            new Tick(2, "50 %"),
            new Tick(10, "90 %"),
            new Tick(100, "99 %"),
            new Tick(1_000, "99.9 %"));

    private Curves() {}

    static Optional<String> of(Scenario scenario, Results results) {
        LineChart chart = results.contestants(scenario).stream()
                        .anyMatch(contestant ->
                                results.latencies(scenario, contestant).isPresent())
                ? percentiles(scenario, results)
                : sizes(scenario, results);
        return chart.isEmpty() ? Optional.empty() : Optional.of(chart.draw());
    }

    /** So much of it took no longer than that. */
    private static LineChart percentiles(Scenario scenario, Results results) {
        LineChart chart = new LineChart(
                scenario.title() + " by percentile", "so many took no longer", "microseconds", PERCENTILES);
        for (Contestant contestant : results.contestants(scenario)) {
            results.latencies(scenario, contestant).ifPresent(latencies -> chart.add(contestant, points(latencies)));
        }
        return chart;
    }

    private static List<Point> points(Histogram latencies) {
        List<Point> points = new ArrayList<>();
        // Ends where a single value would decide.
        double most = Math.min(1_000, latencies.getTotalCount());
        for (double inverse = 1; inverse <= most; inverse *= 1.12) {
            double percentile = 100 * (1 - 1 / inverse);
            points.add(new Point(inverse, Math.max(1, latencies.getValueAtPercentile(percentile)) / 1e3));
        }
        return points;
    }

    /** Metrics whose names end with a size, such as "pairs100", are one line. */
    private static LineChart sizes(Scenario scenario, Results results) {
        List<Metric> metrics = scenario.metrics().stream()
                .filter(metric -> metric.id().matches("pairs\\d+"))
                .toList();
        List<Tick> ticks = metrics.stream()
                .map(metric -> new Tick(size(metric), String.format("%,.0f", size(metric))))
                .toList();
        LineChart chart = new LineChart(scenario.title(), "threads", "pairs per second", ticks);
        for (Contestant contestant : results.contestants(scenario)) {
            List<Point> points = new ArrayList<>();
            for (Metric metric : metrics) {
                results.spread(scenario, contestant, metric)
                        .ifPresent(spread -> points.add(new Point(size(metric), spread.median())));
            }
            chart.add(contestant, points);
        }
        return chart;
    }

    private static double size(Metric metric) {
        return Double.parseDouble(metric.id().substring("pairs".length()));
    }
}
