package io.holdfast.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns that line up, two spaces apart. */
final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** With these above the rows. */
    Table headed(String... cells) {
        rows.add(0, List.of(cells));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    List<String> lines() {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            String cell = row.get(i);
            line.append(cell);
            if (i + 1 < row.size()) {
                line.append(" ".repeat(widths[i] - width(cell) + 2));
            }
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
