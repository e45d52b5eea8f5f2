package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one database does its own way. Statements are files: one in the dialect's folder comes before one of that name in
 * the common folder.
 */
abstract class Dialect {

    /** How a claim for the whole lock went that was made with one statement. */
    sealed interface Answer {
        record Granted(long token) implements Answer {}

        /** Somebody has the lock for so many microseconds. */
        record Busy(long timeLeft, boolean hasOthers) implements Answer {}

        /** Nobody has the lock for himself, and there are others: the lock's row alone does not tell. */
        record Shared() implements Answer {}

        /** The claim has a ticket; it may be granted after so many microseconds without a release. */
        record Queued(long timeLeft) implements Answer {}

        /** The lock's row is being made, changed or removed this moment. */
        record Unclear() implements Answer {}
    }

    /**
     * That a lock was freed with one statement.
     *
     * @param isContended whether others watch it or wait in its queue
     * @param called the claim that was called, where the database notifies
     */
    record Freed(boolean isContended, @Nullable String called) {

        Freed(boolean isContended) {
            this(isContended, null);
        }
    }

    /** What came of claims and releases that went together, by name, as far as the locks' rows tell. */
    record Changed(Map<String, Answer> claimed, Map<String, Freed> freed) {}

    private final String folder;
    private final Map<String, String> macros;
    /** The columns of a claim's row. */
    private static final String CLAIM =
            "name, id, client, mode, held, place, token, since, ends_at, holds, permits, beside, owner, yields, called";

    private final Map<String, Sql> statements = new ConcurrentHashMap<>();

    /** @param macros what stands for {@code {…}} in the statements: {@code now} at least */
    Dialect(String folder, Map<String, String> macros) {
        this.folder = folder;
        this.macros = macros;
    }

    /**
     * Claims the lock for one, if the lock's row alone can tell, or else calls a holder that yields: one round trip, and
     * on H2 another if it is busy.
     */
    abstract Answer claim(Connection connection, Claim claim) throws SQLException;

    /**
     * Claims the lock for one that waits in its queue if it is not granted: one round trip.
     *
     * @return {@code null} if the ends of the queue do not tell, as on all databases that can't do so with one statement
     */
    @Nullable
    Answer queue(Connection connection, Claim claim) throws SQLException {
        return null;
    }

    /**
     * Ends a claim that has the lock for itself, with nothing but exclusive claims at the head of its queue, notifies the clients
     * that watch and calls the first in the queue, where the database notifies: one round trip.
     *
     * @return {@code null} if the lock's row alone does not tell
     */
    abstract @Nullable Freed release(Connection connection, Claim claim, String me) throws SQLException;

    /** Whether {@link #changeAll} ever tells. */
    boolean gathers() {
        return false;
    }

    /**
     * Claims some locks as {@link #claim} does one, and releases others as {@link #release} does one, all of different
     * names: one round trip.
     */
    Changed changeAll(Connection connection, List<Claim> claims, List<Claim> releases, String me) throws SQLException {
        return new Changed(Map.of(), Map.of());
    }

    /** Marks the transaction that begins as one of Holdfast's, where {@link #endStalled} has to know. */
    void begin(Connection connection) throws SQLException {}

    /**
     * Ends transactions of Holdfast's clients that stand still in the middle of one, where the database does not do so by
     * itself. For when a row stays locked.
     */
    void endStalled(Connection connection) throws SQLException {}

    /** Whether waiters are told by the database. Otherwise they look. */
    boolean tells() {
        return false;
    }

    /** How many others watch; they are told, if the database can. */
    final int tell(Connection connection, Key key, String message, String me) throws SQLException {
        try (Bound tell = sql("tell").on(connection);
                ResultSet told = tell.set("kind", key.kind())
                        .set("name", key.bytes())
                        .set("message", message)
                        .set("me", me)
                        .query()) {
            return told.next() ? told.getInt("waiting") : 0;
        }
    }

    final Sql sql(String name) {
        return statements.computeIfAbsent(name, unused -> new Sql(text(name)));
    }

    /** Where the script that makes the tables is. */
    final String schemaFile() {
        return folder + "/schema.sql";
    }

    /** The statements that make the tables. */
    final String schema() {
        return text("schema");
    }

    final Bound claimed(Bound bound, Claim claim) throws SQLException {
        return bound.set("name", Key.bytes(claim.name()))
                .set("id", claim.id())
                .set("lease", Micros.of(claim.lease()))
                .set("holds", claim.holds())
                .set("tokens", claim.tokens())
                .set("yields", claim.revocable() ? 1 : 0)
                .set("owner", OwnerRecord.bytes(claim.owner()));
    }

    static Answer answer(long timeLeft, boolean hasOthers) {
        if (timeLeft > 0) {
            return new Answer.Busy(timeLeft, hasOthers);
        }
        return hasOthers ? new Answer.Shared() : new Answer.Unclear();
    }

    private String text(String name) {
        String text = read(folder + "/" + name + ".sql");
        if (text == null) {
            text = read("common/" + name + ".sql");
        }
        if (text == null) {
            throw new IllegalStateException("no statement " + name + " for " + folder);
        }
        String statement = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        statement = statement.replace("{claim}", CLAIM);
        for (Map.Entry<String, String> macro : macros.entrySet()) {
            statement = statement.replace("{" + macro.getKey() + "}", macro.getValue());
        }
        return statement.strip();
    }

    private static @Nullable String read(String path) {
        try (InputStream file = Dialect.class.getResourceAsStream(path)) {
            return file == null ? null : new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
