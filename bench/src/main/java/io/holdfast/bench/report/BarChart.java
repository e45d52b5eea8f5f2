package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.Svg.Anchor;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Sample;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Unit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One metric: a bar for each contestant up to its median, and a dot for each round. */
final class BarChart {

    private static final int WIDTH = 560;
    private static final int LABELS = 112;
    private static final int VALUES = 96;
    private static final int ROW = 26;
    private static final int TOP = 6;
    private static final int AXIS = 22;

    private final Scenario scenario;
    private final Metric metric;
    private final Results results;

    BarChart(Scenario scenario, Metric metric, Results results) {
        this.scenario = scenario;
        this.metric = metric;
        this.results = results;
    }

    /** Nothing, if no contestant has a value. */
    Optional<String> draw() {
        List<Contestant> shown = results.contestants(scenario).stream()
                .filter(contestant -> results.fault(scenario, contestant).isPresent()
                        || results.spread(scenario, contestant, metric).isPresent())
                .toList();
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        Scale scale = scale(shown);
        Svg svg = new Svg(WIDTH, TOP + shown.size() * ROW + AXIS);
        double bottom = TOP + shown.size() * (double) ROW;
        for (double tick : scale.ticks()) {
            svg.line("grid", scale.at(tick), TOP, scale.at(tick), bottom);
            svg.text("tick", Anchor.MIDDLE, scale.at(tick), bottom + 15, Axis.label(tick));
        }
        for (int i = 0; i < shown.size(); i++) {
            row(svg, scale, shown.get(i), TOP + i * (double) ROW);
        }
        return Optional.of(svg.draw(scenario.title() + ": " + metric.title()));
    }

    boolean isLogarithmic() {
        return scale(results.contestants(scenario)).logarithmic();
    }

    private Scale scale(List<Contestant> shown) {
        List<Double> ends = shown.stream()
                .flatMap(contestant -> results.spread(scenario, contestant, metric).stream())
                .flatMap(spread -> Stream.of(spread.min(), spread.max()))
                .toList();
        return Scale.fitting(ends, LABELS, WIDTH - (double) VALUES);
    }

    private void row(Svg svg, Scale scale, Contestant contestant, double y) {
        double middle = y + ROW / 2.0;
        svg.text("label " + Style.text(contestant), Anchor.END, LABELS - 8, middle + 4, contestant.label());
        Optional<Sample> fault = results.fault(scenario, contestant);
        if (fault.isPresent()) {
            String what = fault.get().isBroken() ? "lock broken, no result" : "failed, no result";
            svg.text("fault", Anchor.START, LABELS + 6, middle + 4, what);
            return;
        }
        results.spread(scenario, contestant, metric).ifPresent(spread -> {
            double end = scale.at(spread.median());
            svg.rect(Style.fill(contestant), LABELS, y + 5, end - LABELS, ROW - 10);
            if (spread.rounds() > 1) {
                svg.line("whisker", scale.at(spread.min()), middle, scale.at(spread.max()), middle);
                for (Sample sample : results.samples(scenario, contestant)) {
                    Double value = sample.values().get(metric.id());
                    if (value != null) {
                        svg.dot("round", scale.at(value), middle, 2.2);
                    }
                }
            }
            String style = contestant == Contestant.HOLDFAST ? "value ours" : "value";
            svg.text(style, Anchor.END, WIDTH - 2, middle + 4, metric.unit().format(spread.median()));
        });
    }

    /** How numbers beside an axis are written. */
    static final class Axis {

        private Axis() {}

        static String label(double value) {
            if (value >= 1e9) {
                return Unit.number(value / 1e9) + "G";
            }
            if (value >= 1e6) {
                return Unit.number(value / 1e6) + "M";
            }
            return value >= 1e3 ? Unit.number(value / 1e3) + "k" : Unit.number(value);
        }
    }
}
