package io.holdfast.demo;

import io.holdfast.demo.Logbook.Entry;
import io.holdfast.demo.Terminal.Colour;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the logbook says, drawn: a row for each worker, time to the right. A column shows one moment, so visitors that
 * were never inside together don't look as if they had been.
 */
final class Timeline {

    private static final int WIDEST = 64;
    private static final int NARROWEST = 10;
    /** Below this, the workers' names would take the room that the drawing needs. */
    private static final int ROOM_FOR_NAMES = 60;

    private static final String SUM = "together";

    private final List<Entry> entries;
    private final boolean counted;

    private Timeline(List<Entry> entries, boolean counted) {
        this.entries = entries;
        this.counted = counted;
    }

    static Timeline of(List<Entry> entries) {
        return new Timeline(entries, false);
    }

    /** With how many of each worker are inside, and in a last row how many of all. */
    static Timeline counting(List<Entry> entries) {
        return new Timeline(entries, true);
    }

    /** One character of a row. */
    private record Cell(char glyph, Colour colour) {}

    /** The rows and what their characters mean, with nothing but ASCII where the terminal has nothing else. */
    List<String> lines(Terminal terminal, int room) {
        if (entries.isEmpty()) {
            return List.of();
        }
        Map<String, List<Cell>> rows = new LinkedHashMap<>();
        entries.stream().map(Entry::worker).distinct().sorted().forEach(row -> rows.put(row, new ArrayList<>()));
        if (counted) {
            rows.put(SUM, new ArrayList<>());
        }
        int labelWidth = 0;
        for (String row : rows.keySet()) {
            labelWidth = Math.max(labelWidth, label(row, room).length());
        }
        int columns = Math.max(NARROWEST, Math.min(WIDEST, room - labelWidth - 1));
        sample(columns, rows, terminal.unicode());

        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<Cell>> row : rows.entrySet()) {
            String label = label(row.getKey(), room);
            lines.add(label + " ".repeat(labelWidth - label.length() + 1) + paint(row.getValue(), terminal));
        }
        for (String line : Text.wrap(legend(columns, terminal.unicode()), room, "")) {
            lines.add(terminal.paint(Colour.DIM, line));
        }
        return lines;
    }

    private static String label(String row, int room) {
        return room < ROOM_FOR_NAMES ? row.replace("worker-", "").replace(SUM, "=") : row;
    }

    private void sample(int columns, Map<String, List<Cell>> rows, boolean unicode) {
        Attendance attendance = new Attendance();
        int next = 0;
        for (int column = 0; column < columns; column++) {
            double moment = start() + (column + 1.0) / columns * length();
            Map<String, Doing> instants = new HashMap<>();
            for (; next < entries.size() && entries.get(next).millis() <= moment; next++) {
                Entry entry = entries.get(next);
                attendance.add(entry);
                if (entry.doing().isInstant()) {
                    instants.put(entry.worker(), entry.doing());
                }
            }
            rows.forEach((row, cells) -> {
                Doing doing = instants.getOrDefault(row, attendance.doing(row));
                int inside = row.equals(SUM) ? attendance.count(Doing.INSIDE) : attendance.count(Doing.INSIDE, row);
                cells.add(
                        counted && inside > 0
                                ? new Cell(Character.forDigit(inside, 36), Doing.INSIDE.colour)
                                : new Cell(doing.glyph(unicode), doing.colour));
            });
        }
    }

    private long start() {
        return entries.get(0).millis();
    }

    private long length() {
        return entries.get(entries.size() - 1).millis() - start();
    }

    private static String paint(List<Cell> cells, Terminal terminal) {
        StringBuilder line = new StringBuilder();
        for (int from = 0, to; from < cells.size(); from = to) {
            StringBuilder same = new StringBuilder();
            Colour colour = cells.get(from).colour();
            for (to = from; to < cells.size() && cells.get(to).colour() == colour; to++) {
                same.append(cells.get(to).glyph());
            }
            line.append(same.toString().isBlank() ? same : terminal.paint(colour, same.toString()));
        }
        return line.toString().stripTrailing();
    }

    private String legend(int columns, boolean unicode) {
        String glyphs = entries.stream()
                .map(Entry::doing)
                .filter(doing -> doing != Doing.IDLE)
                .distinct()
                .sorted()
                .map(doing -> (counted && doing == Doing.INSIDE ? "1" : doing.glyph(unicode)) + " " + doing.word)
                .collect(Collectors.joining(", "));
        return glyphs + "; a column is " + Math.max(1, length() / columns) + " ms";
    }
}
