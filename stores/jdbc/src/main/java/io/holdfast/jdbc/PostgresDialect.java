package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a conditional upsert for the plain lock, and NOTIFY for those who wait. */
final class PostgresDialect extends Dialect {

    /** A lease that may be waited for where a crash of the database undoes a release. */
    private static final Duration BRIEF = Duration.ofMinutes(1);

    PostgresDialect() {
        // Not now(), which stands still while a transaction waits for a row.
        super("postgresql", Map.of("now", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint)"));
    }

    @Override
    boolean tells() {
        return true;
    }

    @Override
    Answer claim(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = claimed(sql("claim").on(connection), claim);
                ResultSet row = statement.query()) {
            // No row: somebody makes or removes it this moment.
            if (!row.next()) {
                return new Answer.Unclear();
            }
            long token = row.getLong("token");
            return row.wasNull()
                    ? answer(row.getLong("time_left"), row.getInt("others") > 0)
                    : new Answer.Granted(token);
        }
    }

    @Override
    @Nullable
    Freed release(Connection connection, Claim claim, String me) throws SQLException {
        try (Bound statement = sql("release").on(connection);
                ResultSet row = statement
                        .set("name", Key.bytes(claim.name()))
                        .set("id", claim.id())
                        .set("me", me)
                        .set("brief", claim.lease().compareTo(BRIEF) <= 0 ? 1 : 0)
                        .set("message", Message.changed(Key.of(claim.kind(), claim.name())))
                        .query()) {
            return row.next() && row.getInt("freed") > 0 ? new Freed(row.getInt("waiting") > 0) : null;
        }
    }
}
