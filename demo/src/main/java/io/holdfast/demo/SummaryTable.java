package io.holdfast.demo;

import io.holdfast.demo.Terminal.Colour;
import java.util.ArrayList;
import java.util.List;

/** The last thing that is shown: each scene, what was expected, what was seen. A list where a table is too wide. */
final class SummaryTable {

    private static final List<String> HEADER = List.of("scene", "expected", "seen", "ok");
    private static final String GAP = "  ";

    private final Terminal terminal;

    SummaryTable(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(List<Result> results) {
        terminal.out().println();
        lines(results).forEach(terminal.out()::println);
    }

    List<String> lines(List<Result> results) {
        List<List<String>> rows = results.stream().map(SummaryTable::row).toList();
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < HEADER.size(); column++) {
            int width = HEADER.get(column).length();
            for (List<String> row : rows) {
                width = Math.max(width, row.get(column).length());
            }
            widths.add(width);
        }
        int total = widths.stream().mapToInt(width -> width + GAP.length()).sum() - GAP.length();
        return total <= terminal.width() ? table(results, widths, total) : list(results);
    }

    private List<String> table(List<Result> results, List<Integer> widths, int total) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.paint(Colour.BOLD, join(HEADER, widths)));
        lines.add(terminal.paint(Colour.DIM, (terminal.unicode() ? "─" : "-").repeat(total)));
        for (Result result : results) {
            lines.add(terminal.paint(colour(result), join(row(result), widths)));
        }
        return lines;
    }

    private List<String> list(List<Result> results) {
        List<String> lines = new ArrayList<>();
        for (Result result : results) {
            lines.add(terminal.paint(colour(result), result.scene() + ": " + result.outcome().word));
            lines.addAll(Text.wrap("expected: " + result.expected(), terminal.width() - 1, GAP));
            lines.addAll(Text.wrap("seen: " + result.seen(), terminal.width() - 1, GAP));
        }
        return lines;
    }

    private static List<String> row(Result result) {
        return List.of(result.scene(), result.expected(), result.seen(), result.outcome().word);
    }

    private static String join(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            line.append(column == 0 ? "" : GAP).append(cell).append(" ".repeat(widths.get(column) - cell.length()));
        }
        return line.toString().stripTrailing();
    }

    private static Colour colour(Result result) {
        return switch (result.outcome()) {
            case OK -> Colour.GREEN;
            case FAILED -> Colour.RED;
            case SKIPPED -> Colour.DIM;
        };
    }
}
