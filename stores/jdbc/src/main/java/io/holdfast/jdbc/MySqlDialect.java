package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
                ResultSet row = seen(statement, claim)) {
            if (!row.next() || row.getInt("is_own") > 0 || row.getString("yielding") != null) {
                return null;
            }
            Answer answer = answer(row.getLong("time_left"), row.getInt("others") > 0);
            return answer instanceof Answer.Busy ? answer : null;
        }
    }

    /**
     * What the row says after a claim that was answered without a key, as a driver does that counts only rows that were really
     * changed. Not {@code LAST_INSERT_ID()} of the session: behind a proxy that shares them it may be another one by now.
     */
    private Answer read(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = sql("busy").on(connection);
                ResultSet row = seen(statement, claim)) {
            if (!row.next()) {
                return new Answer.Unclear();
            }
            long timeLeft = row.getLong("time_left");
            return row.getInt("is_own") > 0 && timeLeft > 0
                    ? new Answer.Granted(row.getLong("token"))
                    : answer(timeLeft, row.getInt("others") > 0);
        }
    }

    private static ResultSet seen(Bound statement, Claim claim) throws SQLException {
        return statement
                .set("name", Key.bytes(claim.name()))
                .set("id", claim.id())
                .query();
    }

    private Answer tryToClaim(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = claimed(sql("claim").withKeyOn(connection), claim)) {
            statement.update();
            long key = statement.key();
            if (key < 0) {
                return read(connection, claim);
            }
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
            return rows == 0 ? null : new Freed(statement.key() != 1);
        }
    }
}
