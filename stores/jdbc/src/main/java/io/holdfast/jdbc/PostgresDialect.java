package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a conditional upsert for the plain lock, and NOTIFY for those who wait. */
final class PostgresDialect extends Dialect {

    /** A lease that may be waited for where a crash of the database undoes a release. */
    private static final Duration BRIEF = Duration.ofMinutes(1);

    private static final byte[] NOBODY = {};

    PostgresDialect() {
        // Not now(), which stands still while a transaction waits for a row; nor EXTRACT, which counts in decimal
        // digits.
        super("postgresql", Map.of("now", "CAST(date_part('epoch', clock_timestamp()) * 1000000 AS bigint)"));
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
            return answer(row);
        }
    }

    private static Answer answer(ResultSet row) throws SQLException {
        long token = row.getLong("token");
        return row.wasNull() ? answer(row.getLong("time_left"), row.getInt("others") > 0) : new Answer.Granted(token);
    }

    @Override
    @Nullable
    Answer queue(Connection connection, Claim claim) throws SQLException {
        try (Bound statement = claimed(sql("queue").on(connection), claim);
                ResultSet row = statement
                        .set("client", claim.client())
                        .set("barges", claim.policy().barges() ? 1 : 0)
                        .set("time", Micros.of(Claim.TICKET))
                        .query()) {
            if (!row.next() || !row.getBoolean("is_plain")) {
                return null;
            }
            if (row.getInt("changed") == 0) {
                return new Answer.Unclear();
            }
            return row.getBoolean("is_granted")
                    ? new Answer.Granted(row.getLong("token"))
                    : new Answer.Queued(row.getLong("time_left"));
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
                        .set("brief", isBrief(claim) ? 1 : 0)
                        .set("message", message(claim))
                        .query()) {
            if (!row.next() || row.getInt("freed") == 0) {
                return null;
            }
            String first = row.getString("first");
            return new Freed(first != null || row.getInt("waiting") > 0, first);
        }
    }

    @Override
    boolean gathers() {
        return true;
    }

    /** One of those that go together. */
    private record Change(Claim claim, boolean isRelease) {}

    @Override
    Changed changeAll(Connection connection, List<Claim> claims, List<Claim> releases, String me) throws SQLException {
        List<Change> all = new ArrayList<>();
        claims.forEach(claim -> all.add(new Change(claim, false)));
        releases.forEach(claim -> all.add(new Change(claim, true)));
        // Rows are locked in this order, so that two statements do not wait for each other.
        all.sort(Comparator.comparing(change -> change.claim.name()));
        int many = all.size();
        byte[][] names = new byte[many][];
        String[] ids = new String[many];
        Long[] leases = new Long[many];
        Integer[] holds = new Integer[many];
        Integer[] tokens = new Integer[many];
        Integer[] revocable = new Integer[many];
        byte[][] owners = new byte[many][];
        for (int i = 0; i < many; i++) {
            Claim claim = all.get(i).claim;
            boolean isRelease = all.get(i).isRelease;
            names[i] = Key.bytes(claim.name());
            ids[i] = claim.id();
            leases[i] = isRelease ? 0L : Micros.of(claim.lease());
            holds[i] = isRelease ? 0 : claim.holds();
            tokens[i] = isRelease ? 0 : claim.tokens();
            revocable[i] = !isRelease && claim.revocable() ? 1 : 0;
            owners[i] = isRelease ? NOBODY : OwnerRecord.bytes(claim.owner());
        }
        boolean brief = claims.isEmpty() && releases.stream().allMatch(PostgresDialect::isBrief);
        try (Bound statement = sql("gathered").on(connection);
                ResultSet row = statement
                        .set("names", "bytea", names)
                        .set("ids", "varchar", ids)
                        .set("leases", "bigint", leases)
                        .set("holds", "integer", holds)
                        .set("tokens", "integer", tokens)
                        .set("yields", "integer", revocable)
                        .set("owners", "bytea", owners)
                        .set("me", me)
                        .set("brief", brief ? 1 : 0)
                        .query()) {
            Changed changed = new Changed(new HashMap<>(), new HashMap<>());
            while (row.next()) {
                String name = Key.text(row.getBytes("name"));
                if (row.getInt("holds") > 0) {
                    changed.claimed().put(name, answer(row));
                } else {
                    changed.freed().put(name, new Freed(row.getInt("told") > 0));
                }
            }
            return changed;
        }
    }

    private static boolean isBrief(Claim claim) {
        return claim.lease().compareTo(BRIEF) <= 0;
    }

    private static String message(Claim claim) {
        return Message.changed(Key.of(claim.type(), claim.name()));
    }
}
