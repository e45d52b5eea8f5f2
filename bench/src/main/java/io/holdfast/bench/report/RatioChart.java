package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.Svg.Anchor;
import io.holdfast.bench.scenario.Metric;
import io.holdfast.bench.scenario.Scenario;
import io.holdfast.bench.scenario.Unit;
import java.util.ArrayList;
import java.util.List;

/** All headline numbers at a glance: how many times better than the best peer, or worse. */
final class RatioChart {

    private static final int WIDTH = 1000;
    private static final int LABELS = 400;
    private static final int VALUES = 170;
    private static final int ROW = 24;
    private static final int TOP = 6;
    private static final int AXIS = 24;

    private record Row(String label, double times, String peer) {}

    private final List<Row> rows = new ArrayList<>();

    RatioChart(Results results) {
        for (Scenario scenario : results.scenarios()) {
            List<Metric> headlines =
                    scenario.metrics().stream().filter(Metric::headline).toList();
            for (Metric metric : headlines) {
                String label = headlines.size() == 1 ? scenario.title() : scenario.title() + ": " + metric.title();
                results.best(scenario, metric, Contestant::isPeer)
                        .ifPresent(peer -> results.ratio(scenario, metric, peer.contestant()::equals)
                                .filter(ratio -> ratio > 0)
                                .ifPresent(ratio -> rows.add(new Row(
                                        label,
                                        metric.more() ? ratio : 1 / ratio,
                                        peer.contestant().label()))));
            }
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    String draw() {
        double most = rows.stream().mapToDouble(Row::times).max().orElse(10);
        double least = rows.stream().mapToDouble(Row::times).min().orElse(1);
        Scale scale = Scale.logarithmic(Math.min(0.5, least), Math.max(10, most), LABELS, WIDTH - (double) VALUES);
        Svg svg = new Svg(WIDTH, TOP + rows.size() * ROW + AXIS);
        double bottom = TOP + rows.size() * (double) ROW;
        for (double tick : scale.ticks()) {
            svg.line("grid", scale.at(tick), TOP, scale.at(tick), bottom);
            svg.text("tick", Anchor.MIDDLE, scale.at(tick), bottom + 16, BarChart.Axis.label(tick) + " ×");
        }
        double one = scale.at(1);
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            double y = TOP + i * (double) ROW;
            double end = scale.at(row.times());
            boolean ahead = row.times() >= 1;
            svg.text("label", Anchor.END, LABELS - 10.0, y + 16, shorten(row.label()));
            svg.rect(ahead ? "ahead" : "behind", Math.min(one, end), y + 5, Math.abs(end - one), ROW - 10.0);
            String value = Unit.number(row.times()) + " × " + row.peer();
            svg.text(ahead ? "value" : "value fault", Anchor.START, WIDTH - VALUES + 8.0, y + 16, value);
        }
        svg.line("one", one, TOP, one, bottom);
        return svg.draw("Holdfast compared with the best peer");
    }

    private static String shorten(String label) {
        return label.length() <= 62 ? label : label.substring(0, 61).strip() + "…";
    }
}
