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
            if (!row.next()) {
                return new Answer.Unclear();
            }
            call(connection, claim.name(), row.getString("yielding"));
            return answer(row.getLong("time_left"), row.getInt("others") > 0);
        }
    }

    private void call(Connection connection, String name, @Nullable String holder) throws SQLException {
        if (holder != null) {
            try (Bound call = sql("call").on(connection)) {
                call.set("name", Key.bytes(name)).set("holder", holder).update();
            }
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
