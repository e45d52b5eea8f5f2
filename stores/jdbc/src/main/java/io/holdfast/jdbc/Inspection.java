package io.holdfast.jdbc;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks at locks and semaphores without locking anything. */
final class Inspection {

    private final Dialect dialect;

    Inspection(Dialect dialect) {
        this.dialect = dialect;
    }

    LockState inspect(Connection connection, Key key) throws SQLException {
        Line line = read(connection, key.kind(), List.of(key.bytes())).get(key.name());
        return line == null
                ? new LockState(
                        key.name(), key.kind() == Key.SEMAPHORE ? LineState.UNKNOWN_CAPACITY : 0, List.of(), List.of())
                : state(line);
    }

    /** Those that are held, page by page. */
    List<LockState> list(Connection connection, int kind, String prefix, int limit) throws SQLException {
        List<LockState> held = new ArrayList<>();
        byte[] from = Key.bytes(prefix);
        byte[] before = Arrays.copyOf(from, from.length + 1);
        before[from.length] = (byte) 0xFF; // is in no UTF-8
        List<byte[]> page = names(connection, kind, from, before);
        while (!page.isEmpty() && held.size() < limit) {
            for (Line line : read(connection, kind, page).values()) {
                LockState state = state(line);
                if (state.isLocked() && held.size() < limit) {
                    held.add(state);
                }
            }
            byte[] last = page.get(page.size() - 1);
            page = names(connection, kind, Arrays.copyOf(last, last.length + 1), before); // the least that is greater
        }
        return held;
    }

    private List<byte[]> names(Connection connection, int kind, byte[] from, byte[] before) throws SQLException {
        List<byte[]> names = new ArrayList<>();
        try (Bound list = dialect.sql("list").on(connection);
                ResultSet row = list.set("kind", kind)
                        .set("after", from)
                        .set("before", before)
                        .query()) {
            while (row.next()) {
                names.add(row.getBytes("name"));
            }
        }
        return names;
    }

    private Map<String, Line> read(Connection connection, int kind, List<byte[]> names) throws SQLException {
        Map<String, Line> lines = new LinkedHashMap<>();
        try (Bound inspect = dialect.sql("inspect").on(connection, names.size());
                ResultSet row =
                        inspect.set("kind", kind).setNames("names", names).query()) {
            while (row.next()) {
                String name = new String(row.getBytes("lock_name"), StandardCharsets.UTF_8);
                Line line = lines.get(name);
                if (line == null) {
                    line = readLine(row, new Key(kind, name));
                    lines.put(name, line);
                }
                if (row.getString("id") != null) {
                    line.add(Lines.readEntry(row));
                }
            }
        }
        lines.values().forEach(Line::begin);
        return lines;
    }

    private static Line readLine(ResultSet row, Key key) throws SQLException {
        Line line = new Line(key);
        line.now = row.getLong("now_at");
        line.capacity = row.getInt("capacity");
        line.usedAt = row.getLong("used_at");
        String holder = row.getString("holder");
        if (holder != null) {
            line.add(Lines.holder(row, holder, "lock_"));
        }
        return line;
    }

    private static LockState state(Line line) {
        LineState state = line.state();
        return new LockState(
                line.key.name(),
                line.key.kind() == Key.SEMAPHORE ? state.capacity() : 0,
                claimants(line, state.holders()),
                claimants(line, state.queue()));
    }

    private static List<Claimant> claimants(Line line, List<LineEntry> live) {
        return line.entries(live).stream()
                .map(entry -> entry.claimant(line.now))
                .toList();
    }
}
