package io.holdfast.bench.report;

import java.util.Locale;

/** A drawing. Colours and fonts are the page's: each part has a class, and the style sheet says what it looks like. */
final class Svg {

    private final StringBuilder parts = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    enum Anchor {
        START,
        MIDDLE,
        END
    }

    Svg rect(String style, double x, double y, double width, double height) {
        return part(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>",
                style, x, y, Math.max(0, width), height);
    }

    Svg line(String style, double x1, double y1, double x2, double y2) {
        return part("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    Svg dot(String style, double x, double y, double radius) {
        return part("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", style, x, y, radius);
    }

    /** @param points x and y in turn */
    Svg polyline(String style, double... points) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < points.length; i += 2) {
            list.append(String.format(Locale.ROOT, "%s%.1f,%.1f", i == 0 ? "" : " ", points[i], points[i + 1]));
        }
        return part("<polyline class=\"%s\" points=\"%s\"/>", style, list);
    }

    /** Where the text stands on: its base line. */
    Svg text(String style, Anchor anchor, double x, double y, String text) {
        return part(
                "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
                style, anchor.name().toLowerCase(Locale.ROOT), x, y, Html.escape(text));
    }

    private Svg part(String format, Object... arguments) {
        parts.append(String.format(Locale.ROOT, format, arguments)).append('\n');
        return this;
    }

    /** @param title what it shows, for screen readers */
    String draw(String title) {
        return String.format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" xmlns=\"http://www.w3.org/2000/svg\">%n%s</svg>",
                width, height, Html.escape(title), parts);
    }
}
