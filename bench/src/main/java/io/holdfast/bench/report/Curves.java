package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.LineChart.Point;
import io.holdfast.bench.report.LineChart.Tick;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Answers that are a curve rather than a number. */
final class Curves {

    private static final List<Tick> PERCENTILES = List.of(
            new Tick(1, "0 %"),
            new Tick(2, "50 %"),
            new Tick(10, "90 %"),
            new Tick(100, "99 %"),
            new Tick(1_000, "99.9 %"));

    private final Scenario scenario;
    private final Results results;

    Curves(Scenario scenario, Results results) {
        this.scenario = scenario;
        this.results = results;
    }

    /** So much of it took no longer than that; nothing, where latencies are not the point. */
    Optional<String> percentiles() {
        LineChart chart = new LineChart(
                scenario.title() + " by percentile",
                "so many took no longer",
                "microseconds",
                PERCENTILES,
                LineChart.WIDE);
        for (Contestant contestant : results.contestants(scenario)) {
            results.latencies(scenario, contestant).ifPresent(latencies -> chart.add(contestant, points(latencies)));
        }
        return chart.draw();
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

    /** A line for each contestant over the sizes. */
    Optional<String> over(Series series) {
        List<Tick> ticks = series.sizes().stream()
                .map(size -> new Tick(size, String.format("%,d", size)))
                .toList();
        LineChart chart =
                new LineChart(scenario.title() + ": " + series.title(), series.counted(), "", ticks, LineChart.NARROW);
        for (Contestant contestant : results.contestants(scenario)) {
            List<Point> points = new ArrayList<>();
            for (int size : series.sizes()) {
                results.spread(scenario, contestant, series.at(size))
                        .ifPresent(spread -> points.add(new Point(size, spread.median())));
            }
            chart.add(contestant, points);
        }
        return chart.draw();
    }
}
