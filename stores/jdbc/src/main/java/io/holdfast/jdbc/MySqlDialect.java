package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB. A write there returns no rows, but {@code LAST_INSERT_ID(value)} has one number come back with its
 * acknowledgement, as if it were a generated key.
 */
final class MySqlDialect extends Dialect {

    // Not NOW(), which is in the session's time zone and so may jump by an hour.
    private static final String NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
    private static final long BUSY = 1L << 62;

    /** How many names are remembered as busy. */
    private static final int MOST_BUSY = 1_000;

    /** Names that were busy when they were last claimed here. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    MySqlDialect() {
        super(
                "mysql",
                Map.of(
                        "free",
                        "(others = 0 AND NOT (holder <=> VALUES(holder)) AND (holder IS NULL OR ends_at <= " + NOW
                                + "))",
                        "granted",
                        "(holder <=> VALUES(holder) AND (others = 0 OR ends_at > " + NOW + "))",
                        "now",
                        NOW));
    }

    @Override
    Answer claim(Connection connection, Claim claim) throws SQLException {
        if (busy.contains(claim.name())) {
            Answer seen = look(connection, claim);
            if (seen != null) {
                return seen;
            }
        }
        Answer answer = tryToClaim(connection, claim);
        if (answer instanceof Answer.Granted || busy.size() >= MOST_BUSY) {
            busy.remove(claim.name());
        } else {
            busy.add(claim.name());
        }
        return answer;
    }

    /**
     * Whether a lock that was busy still is, without locking its row: the claim itself always does, and the holder's release
     * waits behind it. {@code null} if the claim has to find out, or to call the holder.
     */
    private @Nullable Answer look(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = sql("busy").on(connection);
                ResultSet row = statement
                        .set("name", Key.bytes(claim.name()))
                        .set("id", claim.id())
                        .query()) {
            if (!row.next() || row.getInt("is_own") > 0 || row.getString("yielding") != null) {
                return null;
            }
            Answer answer = answer(row.getLong("time_left"), row.getInt("others") > 0);
            return answer instanceof Answer.Busy ? answer : null;
        }
    }

    private Answer tryToClaim(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = claimed(sql("claim").withKeyOn(connection), claim)) {
            statement.update();
            long key = key(connection, statement);
            if (key < BUSY) {
                return new Answer.Granted(key);
            }
            long rest = key - BUSY;
            return answer(rest / 2, rest % 2 == 1);
        }
    }

    @Override
    @Nullable
    Freed release(Connection connection, Claim claim, String me) throws SQLException {
        try (Bound statement = sql("release").withKeyOn(connection)) {
            int rows = statement
                    .set("name", Key.bytes(claim.name()))
                    .set("id", claim.id())
                    .set("me", me)
                    .update();
            return rows == 0 ? null : new Freed(key(connection, statement) == 2);
        }
    }

    // A driver that counts only rows that were really changed gives no key for a busy lock; the session still has it.
    private static long key(Connection connection, Bound statement) throws SQLException {
        long key = statement.key();
        if (key >= 0) {
            return key;
        }
        try (Statement last = connection.createStatement();
                ResultSet row = last.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }
}
