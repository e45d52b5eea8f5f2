package io.holdfast.jdbc;

import io.holdfast.spi.LatchStore;
import io.holdfast.spi.support.ClaimLine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Removes rows that nobody needs any more: now and then, a bounded number at a time, as a by-product of using the store.
 * It walks over the names a page at a time: at once while it finds much, soon until it has seen all of them, and then not
 * for minutes. So it keeps up with more new names a second than are cleaned up anywhere else, whatever their order.
 *
 * <p>A name's row goes a day after it was last used, if it has no live claim. Its last token is noted first, in a floor that
 * the next token of any name that has no row is above.
 */
final class Cleaner {

    static final Duration KEPT = ClaimLine.CAPACITY_KEPT;

    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long AT_ONCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A page of names that all are in use; every client in use walks, so this is what a crowd of them costs. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** As many as the statement reads. */
    private static final int PAGE = 500;

    private static final int MUCH = 100;
    private static final long WATCHES_KEPT_MICROS = Micros.of(Duration.ofMinutes(1));

    private final Dialect dialect;
    private final Transactions transactions;
    private final Lines lines;
    private final AtomicLong nextAt = new AtomicLong(System.nanoTime() + jittered(PAUSE_NANOS));
    private int kind = Key.LOCK;
    private byte[] after = {};

    Cleaner(Dialect dialect, Transactions transactions, Lines lines) {
        this.dialect = dialect;
        this.transactions = transactions;
        this.lines = lines;
    }

    /** Whether it is time; whoever is told so cleans. */
    boolean isDue() {
        long at = nextAt.get();
        long now = System.nanoTime();
        return now - at >= 0 && nextAt.compareAndSet(at, now + jittered(PAUSE_NANOS));
    }

    /** Does one round. How many rows it removed. */
    synchronized int clean(Connection connection, Duration kept) throws SQLException {
        Page names = cleanNames(connection, Micros.of(kept));
        int removed = names.removed;
        removed += cleanLatches(connection, Micros.of(LatchStore.KEPT));
        removed += cleanChanges(connection, Micros.of(kept));
        try (Bound watches = dialect.sql("clean_watches").on(connection)) {
            removed += watches.set("kept", WATCHES_KEPT_MICROS).update();
        }
        long pause = jittered(names.isEnd ? PAUSE_NANOS : SOON_NANOS);
        nextAt.set(System.nanoTime() + (removed >= MUCH ? AT_ONCE_NANOS : pause));
        return removed;
    }

    /** When it is due. */
    Duration untilDue() {
        return Duration.ofNanos(nextAt.get() - System.nanoTime());
    }

    /** What came of a page of names, and whether it was the last one. */
    private record Page(int removed, boolean isEnd) {}

    private Page cleanNames(Connection connection, long kept) throws SQLException {
        List<byte[]> unused = new ArrayList<>();
        List<String> abandoned = new ArrayList<>();
        long lastToken = 0;
        int seen = 0;
        try (Bound find = dialect.sql("clean_find").on(connection);
                ResultSet row = find.set("kind", kind).set("after", after).query()) {
            while (row.next()) {
                seen++;
                byte[] name = row.getBytes("name");
                after = name;
                long now = row.getLong("now_at");
                if (row.getLong("used_at") >= now - kept || row.getLong("ends_at") > now) {
                    continue;
                }
                if (row.getInt("others") > 0) {
                    abandoned.add(Key.text(name));
                } else if (row.getLong("last_token") < now) {
                    unused.add(name);
                    lastToken = Math.max(lastToken, row.getLong("last_token"));
                }
            }
        }
        int at = kind;
        boolean isEnd = false;
        if (seen < PAGE) {
            isEnd = kind == Key.SEMAPHORE;
            kind = kind == Key.LOCK ? Key.SEMAPHORE : Key.LOCK;
            after = new byte[0];
        }
        if (!abandoned.isEmpty()) { // reading them takes out what has ended
            lines.change(connection, at, abandoned, false, found -> true);
        }
        return new Page(unused.isEmpty() ? 0 : remove(connection, at, unused, lastToken, kept), isEnd);
    }

    private int remove(Connection connection, int at, List<byte[]> names, long lastToken, long kept)
            throws SQLException {
        return transactions.run(connection, c -> {
            try (Bound floor = dialect.sql("token_floor").on(c)) {
                floor.set("token", lastToken).update();
            }
            int removed = 0;
            try (Bound delete = dialect.sql("clean_lock").on(c);
                    Bound changes = dialect.sql("clean_changes_of").on(c)) {
                for (byte[] name : names) {
                    int row = delete.set("kind", at)
                            .set("name", name)
                            .set("kept", kept)
                            .update();
                    removed += row;
                    if (row > 0 && at == Key.SEMAPHORE) {
                        changes.set("kind", at).set("name", name).update();
                    }
                }
            }
            return removed;
        });
    }

    private int cleanLatches(Connection connection, long kept) throws SQLException {
        List<byte[]> names = new ArrayList<>();
        try (Bound find = dialect.sql("clean_find_latches").on(connection);
                ResultSet row = find.set("kept", kept).query()) {
            while (row.next()) {
                names.add(row.getBytes("name"));
            }
        }
        int removed = 0;
        for (byte[] name : names) {
            removed += transactions.run(connection, c -> {
                try (Bound latch = dialect.sql("clean_latch").on(c);
                        Bound changes = dialect.sql("clean_changes_of").on(c)) {
                    int row = latch.set("name", name).set("kept", kept).update();
                    if (row > 0) {
                        changes.set("kind", Key.LATCH).set("name", name).update();
                    }
                    return row;
                }
            });
        }
        return removed;
    }

    private int cleanChanges(Connection connection, long kept) throws SQLException {
        List<byte[][]> old = new ArrayList<>();
        try (Bound find = dialect.sql("clean_find_changes").on(connection);
                ResultSet row = find.set("kept", kept).query()) {
            while (row.next()) {
                old.add(new byte[][] {row.getBytes("name"), row.getBytes("id")});
            }
        }
        if (old.isEmpty()) {
            return 0;
        }
        try (Bound delete = dialect.sql("clean_change").on(connection)) {
            for (byte[][] change : old) {
                delete.set("name", change[0]).set("id", change[1]).batch();
            }
            delete.runBatch();
        }
        return old.size();
    }

    private static long jittered(long nanos) {
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos);
    }
}
