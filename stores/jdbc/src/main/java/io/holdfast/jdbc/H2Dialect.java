package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** H2: a merge whose outcome is selected from. */
final class H2Dialect extends Dialect {

    H2Dialect() {
        super(
                "h2",
                Map.of(
                        "now",
                        "DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', CURRENT_TIMESTAMP)"));
    }

    @Override
    Answer claim(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = claimed(sql("claim").on(connection), claim);
                ResultSet row = statement.query()) {
            if (row.next()) {
                return new Answer.Granted(row.getLong("token"));
            }
        }
        try (Bound statement = sql("busy").on(connection);
                ResultSet row = statement.set("name", Key.bytes(claim.name())).query()) {
            return row.next() ? answer(row.getLong("time_left"), row.getInt("others") > 0) : new Answer.Unclear();
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
                        .query()) {
            return row.next() ? new Freed(row.getInt("waiting") > 0) : null;
        }
    }
}
