package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** H2: a merge whose outcome is selected from. */
final class H2Dialect extends Dialect {

    private static final Logger log = LoggerFactory.getLogger(H2Dialect.class);

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
    void begin(Connection connection) throws SQLException {
        try (Bound mark = sql("transaction_mark").on(connection)) {
            mark.update();
        }
    }

    /**
     * Only a user with the rights of an administrator sees the others' sessions; for anybody else this does nothing. Whatever
     * goes wrong with it, the caller goes on as if it were not there.
     */
    @Override
    void endStalled(Connection connection) {
        try {
            for (int session : inTransaction(connection)) {
                end(connection, session);
            }
        } catch (SQLException e) {
            log.debug("Whether somebody stands still in the middle of a transaction is not known", e);
        }
    }

    /** The sessions that are in a transaction of Holdfast's, before it is looked which of them stand still. */
    private List<Integer> inTransaction(Connection connection) throws SQLException {
        List<Integer> sessions = new ArrayList<>();
        try (Bound find = sql("transaction_find").on(connection);
                ResultSet found = find.query()) {
            while (found.next()) {
                sessions.add(found.getInt("session_id"));
            }
        }
        return sessions;
    }

    private void end(Connection connection, int session) throws SQLException {
        try (Bound end = sql("transaction_end").on(connection);
                ResultSet ended = end.set("session", session).query()) {
            if (ended.next() && ended.getBoolean("ended")) {
                log.warn("A client that stands still in the middle of a transaction held others up: H2 has ended it");
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
