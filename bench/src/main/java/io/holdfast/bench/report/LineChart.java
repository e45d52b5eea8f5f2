package io.holdfast.bench.report;

import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.report.Svg.Anchor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One line for each contestant, each with its name at its end. The lower axis has powers of ten. */
final class LineChart {

    /** As wide as the page. */
    static final int WIDE = 1000;
    /** One of two beside each other. */
    static final int NARROW = 560;

    private static final int HEIGHT = 320;
    private static final int LEFT = 56;
    private static final int RIGHT = 130;
    private static final int TOP = 14;
    private static final int BOTTOM = 44;
    private static final double NAME_HEIGHT = 14;

    /** A place on the lower axis, with what is written there. */
    record Tick(double at, String label) {}

    record Point(double x, double y) {}

    private record Line(Contestant contestant, List<Point> points) {}

    private final String title;
    private final String xTitle;
    private final String yTitle;
    private final List<Tick> ticks;
    private final int width;
    private final List<Line> lines = new ArrayList<>();

    /** @param ticks the lower axis goes from the first to the last */
    LineChart(String title, String xTitle, String yTitle, List<Tick> ticks, int width) {
        this.title = title;
        this.xTitle = xTitle;
        this.yTitle = yTitle;
        this.ticks = ticks;
        this.width = width;
    }

    void add(Contestant contestant, List<Point> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(contestant, points));
        }
    }

    /** Nothing, if there is no line. */
    Optional<String> draw() {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        double bottom = HEIGHT - (double) BOTTOM;
        double right = width - (double) RIGHT;
        Scale x = new Scale(ticks.get(0).at(), ticks.get(ticks.size() - 1).at(), LEFT, right, true);
        List<Double> values = lines.stream()
                .flatMap(line -> line.points.stream())
                .map(Point::y)
                .toList();
        Scale y = Scale.fitting(values, bottom, TOP);
        Svg svg = new Svg(width, HEIGHT);
        for (double tick : y.ticks()) {
            svg.line("grid", LEFT, y.at(tick), right, y.at(tick));
            svg.text("tick", Anchor.END, LEFT - 6, y.at(tick) + 4, BarChart.Axis.label(tick));
        }
        for (Tick tick : ticks) {
            svg.line("grid", x.at(tick.at()), TOP, x.at(tick.at()), bottom);
            svg.text("tick", Anchor.MIDDLE, x.at(tick.at()), bottom + 16, tick.label());
        }
        svg.text("tick", Anchor.MIDDLE, (LEFT + right) / 2, HEIGHT - 8.0, xTitle);
        svg.text("tick", Anchor.START, LEFT + 6, TOP + 10.0, yTitle);
        for (Line line : lines) {
            double[] points = new double[2 * line.points.size()];
            for (int i = 0; i < line.points.size(); i++) {
                points[2 * i] = x.at(line.points.get(i).x());
                points[2 * i + 1] = y.at(line.points.get(i).y());
            }
            svg.polyline(Style.stroke(line.contestant), points);
            for (int i = 0; points.length <= 12 && i < points.length; i += 2) {
                svg.dot(Style.fill(line.contestant), points[i], points[i + 1], 3.5);
            }
        }
        names(svg, y, right + 8);
        return Optional.of(svg.draw(title));
    }

    /** Beside the ends of the lines, pushed apart where they would overlap. */
    private void names(Svg svg, Scale y, double x) {
        double next = 0;
        List<Line> downwards = lines.stream()
                .sorted(Comparator.comparing(line -> y.at(last(line).y())))
                .toList();
        for (Line line : downwards) {
            double at = Math.max(next, y.at(last(line).y()) + 4);
            svg.rect(Style.fill(line.contestant), x, at - 9, 9, 9);
            svg.text("label " + Style.text(line.contestant), Anchor.START, x + 14, at, line.contestant.label());
            next = at + NAME_HEIGHT;
        }
    }

    private static Point last(Line line) {
        return line.points.get(line.points.size() - 1);
    }
}
