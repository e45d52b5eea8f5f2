package io.holdfast.jdbc;

import io.holdfast.spi.Mode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the claims of a name under a lock on the name's row, has a command applied to them, writes what has changed and notifies
 * the clients that wait: one short transaction. Every command that one statement can't decide goes this way. What an exclusive
 * claim asks for turns on a few of the claims, so that its commands cost the same however many wait.
 */
final class Lines {

    /** What is done to lines, by their names; it is quick, and may be done again from the start. */
    interface Step<T> {
        T run(Map<String, Line> lines) throws SQLException;
    }

    private final Dialect dialect;
    private final Transactions transactions;
    private final Watchers watches;

    Lines(Dialect dialect, Transactions transactions, Watchers watches) {
        this.dialect = dialect;
        this.transactions = transactions;
        this.watches = watches;
    }

    /** What came of a step, and whether anybody else was told or watches. */
    record Done<T>(T result, boolean isHeard) {}

    /**
     * @param kind as it is stored
     * @param make whether to make the rows that are missing; otherwise their lines are empty and are not written
     */
    <T> Done<T> change(Connection connection, int kind, Collection<String> names, boolean make, Step<T> step)
            throws SQLException {
        return change(connection, new Reading("line_lock", kind, names, make, null), step);
    }

    /** As {@link #change}, of rows that are there; it fails at once if somebody has one of them locked. */
    <T> Done<T> changeNow(Connection connection, int kind, Collection<String> names, Step<T> step) throws SQLException {
        return change(connection, new Reading("line_lock_now", kind, names, false, null), step);
    }

    /**
     * As {@link #change}, of one lock, for a command of an exclusive claim or of none.
     *
     * @param own the claim's id; empty if it is no claim's command
     */
    <T> Done<T> changeFor(Connection connection, String own, String name, boolean make, Step<T> step)
            throws SQLException {
        return change(connection, new Reading("line_lock", Key.LOCK, List.of(name), make, own), step);
    }

    /**
     * What to read.
     *
     * @param lock the statement that locks the names' rows
     * @param names in an order that all transactions share, so that none waits for one that waits for it
     * @param own the only exclusive claim that a command is about; {@code null} if all claims are to be read
     */
    private record Reading(
            String lock,
            int kind,
            Collection<String> names,
            boolean make,
            @Nullable String own) {

        Reading {
            names = new TreeSet<>(names);
        }
    }

    private <T> Done<T> change(Connection connection, Reading reading, Step<T> step) throws SQLException {
        List<Line> told = new ArrayList<>();
        Done<T> done = transactions.run(connection, c -> {
            told.clear();
            Map<String, Line> lines = read(c, reading);
            T result = step.run(lines);
            boolean heard = false;
            for (Line line : lines.values()) {
                if (line.exists) {
                    line.finish();
                    write(c, line);
                    heard |= tell(c, line);
                    told.add(line);
                }
            }
            return new Done<>(result, heard);
        });
        for (Line line : told) {
            if (line.freed) {
                watches.changed(line.key);
            }
            line.notified.forEach(watches::called);
        }
        return done;
    }

    private Map<String, Line> read(Connection connection, Reading reading) throws SQLException {
        int kind = reading.kind;
        Map<String, Line> lines = new TreeMap<>();
        reading.names.forEach(name -> lines.put(name, new Line(new Key(kind, name))));
        lock(connection, reading.lock, kind, lines, reading.names);
        if (reading.make) {
            List<String> missing = reading.names.stream()
                    .filter(name -> !line(lines, name).exists)
                    .toList();
            if (!missing.isEmpty()) {
                try (Bound insert = dialect.sql("line_make").on(connection)) {
                    for (String name : missing) {
                        insert.set("kind", kind).set("name", Key.bytes(name)).update();
                    }
                }
                lock(connection, reading.lock, kind, lines, missing);
            }
        }
        if (reading.own == null
                || !readFront(connection, lines.values().iterator().next(), reading.own)) {
            readClaims(connection, kind, lines);
        }
        lines.values().forEach(Line::begin);
        return lines;
    }

    private void lock(
            Connection connection, String statement, int kind, Map<String, Line> lines, Collection<String> names)
            throws SQLException {
        List<byte[]> bytes = names.stream().map(Key::bytes).toList();
        try (Bound select = dialect.sql(statement).on(connection, bytes.size());
                ResultSet row =
                        select.set("kind", kind).setNames("names", bytes).query()) {
            while (row.next()) {
                readLine(row, line(lines, Key.text(row.getBytes("name"))));
            }
        }
    }

    private static void readLine(ResultSet row, Line line) throws SQLException {
        line.exists = true;
        line.now = row.getLong("now_at");
        line.lastToken = row.getLong("last_token");
        line.tokenFloor = row.getLong("token_floor");
        line.others = row.getInt("others");
        line.capacity = row.getInt("capacity");
        line.changes = row.getLong("changes");
        line.usedAt = row.getLong("used_at");
        String holder = row.getString("holder");
        if (holder != null) {
            Entry entry = holder(row, holder, "");
            entry.revocable = row.getInt("yields") > 0;
            entry.called = row.getLong("called");
            line.add(entry);
        }
    }

    /** Reads the claim that is in a name's row, from columns with that prefix. */
    static Entry holder(ResultSet row, String id, String prefix) throws SQLException {
        Entry entry = new Entry(id, Mode.EXCLUSIVE);
        entry.held = true;
        entry.inName = true;
        entry.token = row.getLong(prefix + "token");
        entry.since = row.getLong(prefix + "since");
        entry.endsAt = row.getLong(prefix + "ends_at");
        entry.holds = row.getInt(prefix + "holds");
        entry.permits = 1;
        entry.owner = row.getBytes(prefix + "owner");
        return entry;
    }

    /** Reads the claims that a command of an exclusive claim turns on; false if there may be more of them. */
    private boolean readFront(Connection connection, Line line, String own) throws SQLException {
        if (line.others == 0) {
            return true;
        }
        try (Bound select = key(dialect.sql("line_front").on(connection), line.key);
                ResultSet row = select.set("id", own).query()) {
            while (row.next()) {
                line.add(readEntry(row));
            }
        }
        line.whole = line.isComplete();
        return line.whole || line.isDecidedBy(own);
    }

    private void readClaims(Connection connection, int kind, Map<String, Line> lines) throws SQLException {
        List<byte[]> names = lines.values().stream()
                .filter(line -> line.others > 0)
                .map(line -> line.key.bytes())
                .toList();
        if (names.isEmpty()) {
            return;
        }
        lines.values().forEach(line -> line.whole = true);
        try (Bound select = dialect.sql("line_claims").on(connection, names.size());
                ResultSet row =
                        select.set("kind", kind).setNames("names", names).query()) {
            while (row.next()) {
                Line line = line(lines, Key.text(row.getBytes("name")));
                line.add(readEntry(row));
            }
        }
    }

    /** Reads a claim's row. */
    static Entry readEntry(ResultSet row) throws SQLException {
        Entry entry = new Entry(row.getString("id"), Entry.mode(row.getInt("mode")));
        entry.ticket = row.getLong("place");
        entry.stored = true;
        entry.held = row.getInt("held") > 0;
        entry.token = row.getLong("token");
        entry.since = row.getLong("since");
        entry.endsAt = row.getLong("ends_at");
        entry.holds = row.getInt("holds");
        entry.permits = row.getInt("permits");
        entry.compatibleWith = row.getString("beside");
        entry.owner = row.getBytes("owner");
        entry.revocable = row.getInt("yields") > 0;
        entry.called = row.getLong("called");
        return entry;
    }

    private void write(Connection connection, Line line) throws SQLException {
        remove(connection, line);
        List<Entry> own = new ArrayList<>();
        @Nullable Entry inName = null;
        for (Entry entry : line.entries.values()) {
            if (entry.inName) {
                inName = entry;
            } else {
                own.add(entry);
            }
        }
        int others = line.whole ? own.size() : line.others - line.removed.size();
        for (boolean stored : new boolean[] {false, true}) {
            List<Entry> some = own.stream()
                    .filter(entry -> entry.stored == stored && (entry.changed || !stored))
                    .toList();
            if (!some.isEmpty()) {
                others += line.whole || stored ? 0 : some.size();
                try (Bound save =
                        dialect.sql(stored ? "claim_save" : "claim_add").on(connection)) {
                    for (Entry entry : some) {
                        values(key(save, line.key), entry).batch();
                    }
                    save.runBatch();
                }
            }
        }
        if (line.changed || others != line.others) {
            writeLine(connection, line, inName, others);
        }
    }

    private void remove(Connection connection, Line line) throws SQLException {
        if (line.removed.isEmpty()) {
            return;
        }
        try (Bound delete = dialect.sql("claim_remove").on(connection)) {
            for (Entry entry : line.removed) {
                long by = entry.wasOver ? line.now : Long.MAX_VALUE; // it may be renewed in this moment
                key(delete, line.key).set("id", entry.id).set("by", by).batch();
            }
            for (int rows : delete.runBatch()) {
                if (rows == 0) {
                    throw new SQLTransactionRollbackException(
                            "a ticket was renewed in the moment in which it ended", "40001");
                }
            }
        }
    }

    private void writeLine(Connection connection, Line line, @Nullable Entry holder, int others) throws SQLException {
        try (Bound save = key(dialect.sql("line_save").on(connection), line.key)) {
            save.set("holder", holder == null ? null : holder.id)
                    .set("token", holder == null ? 0 : holder.token)
                    .set("since", holder == null ? 0 : holder.since)
                    .set("ends_at", holder == null ? 0 : holder.endsAt)
                    .set("holds", holder == null ? 0 : holder.holds)
                    .set("owner", holder == null ? null : holder.owner)
                    .set("yields", holder != null && holder.revocable ? 1 : 0)
                    .set("called", holder == null ? 0 : holder.called)
                    .set("last_token", line.lastToken)
                    .set("others", others)
                    .set("capacity", line.capacity)
                    .set("changes", line.changes)
                    .set("used_at", line.usedAt)
                    .update();
        }
    }

    private boolean tell(Connection connection, Line line) throws SQLException {
        boolean heard = !line.notified.isEmpty();
        if (line.freed && (dialect.tells() || !heard)) {
            heard |= dialect.tell(connection, line.key, Message.changed(line.key), watches.me()) > 0;
        }
        if (dialect.tells()) {
            for (String id : line.notified) {
                dialect.tell(connection, Key.client(client(id)), Message.called(id), watches.me());
            }
        }
        return heard;
    }

    private static Bound values(Bound bound, Entry entry) throws SQLException {
        return bound.set("id", entry.id)
                .set("client", client(entry.id))
                .set("mode", Entry.code(entry.mode))
                .set("held", entry.held ? 1 : 0)
                .set("place", entry.ticket)
                .set("token", entry.token)
                .set("since", entry.since)
                .set("ends_at", entry.endsAt)
                .set("holds", entry.holds)
                .set("permits", entry.permits)
                .set("beside", entry.compatibleWith)
                .set("owner", entry.owner)
                .set("yields", entry.revocable ? 1 : 0)
                .set("called", entry.called);
    }

    private static Bound key(Bound bound, Key key) throws SQLException {
        return bound.set("kind", key.kind()).set("name", key.bytes());
    }

    private static String client(String claimId) {
        return claimId.substring(0, claimId.lastIndexOf(':'));
    }

    private static Line line(Map<String, Line> lines, String name) {
        Line line = lines.get(name);
        if (line == null) {
            throw new IllegalStateException("a row that was not asked for");
        }
        return line;
    }
}
