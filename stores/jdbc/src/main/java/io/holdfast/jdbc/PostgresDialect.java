package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: a conditional upsert for the plain lock, and NOTIFY for those who wait. */
final class PostgresDialect extends Dialect {

    /** A lease that may be waited for where a crash of the database undoes a release. */
    private static final Duration BRIEF = Duration.ofMinutes(1);

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
    Freed release(Connection connection, Claim claim, String me) throws SQLException {
        try (Bound statement = sql("release").on(connection);
                ResultSet row = statement
                        .set("name", Key.bytes(claim.name()))
                        .set("id", claim.id())
                        .set("me", me)
                        .set("brief", isBrief(claim) ? 1 : 0)
                        .set("message", message(claim))
                        .query()) {
            return row.next() && row.getInt("freed") > 0 ? new Freed(row.getInt("waiting") > 0) : null;
        }
    }

    @Override
    boolean gathers() {
        return true;
    }

    @Override
    Map<String, Answer> claimAll(Connection connection, List<Claim> claims) throws SQLException {
        try (Bound statement = sql("claim_all").on(connection);
                ResultSet row = statement
                        .set("names", "bytea", bytes(claims, claim -> Key.bytes(claim.name())))
                        .set("ids", "varchar", texts(claims, Claim::id))
                        .set("leases", "bigint", longs(claims, claim -> Micros.of(claim.lease())))
                        .set("holds", "integer", numbers(claims, Claim::holds))
                        .set("tokens", "integer", numbers(claims, Claim::tokens))
                        .set("yields", "integer", numbers(claims, claim -> claim.yields() ? 1 : 0))
                        .set("owners", "bytea", bytes(claims, claim -> OwnerRecord.bytes(claim.owner())))
                        .query()) {
            Map<String, Answer> answers = new HashMap<>();
            while (row.next()) {
                answers.put(row.getString("id"), answer(row));
            }
            return answers;
        }
    }

    @Override
    Map<String, Freed> releaseAll(Connection connection, List<Claim> claims, String me) throws SQLException {
        boolean brief = claims.stream().allMatch(PostgresDialect::isBrief);
        try (Bound statement = sql("release_all").on(connection);
                ResultSet row = statement
                        .set("names", "bytea", bytes(claims, claim -> Key.bytes(claim.name())))
                        .set("ids", "varchar", texts(claims, Claim::id))
                        .set("messages", "text", texts(claims, PostgresDialect::message))
                        .set("me", me)
                        .set("brief", brief ? 1 : 0)
                        .query()) {
            Map<String, Freed> freed = new HashMap<>();
            while (row.next()) {
                freed.put(row.getString("id"), new Freed(row.getInt("waiting") > 0));
            }
            return freed;
        }
    }

    private static byte[][] bytes(List<Claim> claims, Function<Claim, byte[]> value) {
        return claims.stream().map(value).toArray(byte[][]::new);
    }

    private static String[] texts(List<Claim> claims, Function<Claim, String> value) {
        return claims.stream().map(value).toArray(String[]::new);
    }

    private static Long[] longs(List<Claim> claims, Function<Claim, Long> value) {
        return claims.stream().map(value).toArray(Long[]::new);
    }

    private static Integer[] numbers(List<Claim> claims, Function<Claim, Integer> value) {
        return claims.stream().map(value).toArray(Integer[]::new);
    }

    private static boolean isBrief(Claim claim) {
        return claim.lease().compareTo(BRIEF) <= 0;
    }

    private static String message(Claim claim) {
        return Message.changed(Key.of(claim.kind(), claim.name()));
    }
}
