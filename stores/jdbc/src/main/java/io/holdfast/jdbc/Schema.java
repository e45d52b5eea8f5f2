package io.holdfast.jdbc;

import io.holdfast.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The tables: whether they are there, in the version that this code knows, and how they are made. */
final class Schema {

    static final int VERSION = 1;

    /** Several processes may make them at once, and databases are not good at that. */
    private static final int TRIES = 10;

    private final Dialect dialect;
    private final Errors errors;
    private final String description;
    private final ReentrantLock making = new ReentrantLock();
    private volatile boolean known;

    Schema(Dialect dialect, Errors errors, String description) {
        this.dialect = dialect;
        this.errors = errors;
        this.description = description;
    }

    /** Makes the tables if there are none; after the first time it costs nothing. */
    void ensure(Connection connection) throws SQLException {
        if (known) {
            return;
        }
        making.lock();
        try {
            if (!known) {
                Integer version = version(connection);
                if (version == null) {
                    makeOrTell(connection);
                    version = version(connection);
                }
                check(version);
                known = true;
            }
        } finally {
            making.unlock();
        }
    }

    /** The tables seem to be gone. */
    void forget() {
        known = false;
    }

    /** Looks without changing anything. */
    void check(Connection connection) throws SQLException {
        check(version(connection));
        for (String table :
                List.of("holdfast_lock", "holdfast_claim", "holdfast_latch", "holdfast_change", "holdfast_watch")) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table + " WHERE 1 = 0")) {
                rows.next();
            }
        }
    }

    private void makeOrTell(Connection connection) throws SQLException {
        try {
            make(connection);
        } catch (SQLException e) {
            if (errors.remedy(e) != Errors.Remedy.TELL) {
                throw e;
            }
            throw new StoreRefusedException(
                    missing() + " They can't be made now: "
                            + String.valueOf(e.getMessage()).strip(),
                    false,
                    e);
        }
    }

    private String missing() {
        return description
                + " has no tables for locks. Have them made with the script that JdbcSchema.script gives, or let"
                + " this user create tables.";
    }

    private void check(@Nullable Integer version) {
        if (version == null) {
            throw new StoreRefusedException(missing(), false);
        }
        if (version != VERSION) {
            throw new StoreRefusedException(
                    description + " has tables of version " + version + " and this Holdfast needs version " + VERSION
                            + ". " + (version > VERSION ? "Use a newer Holdfast." : "Run the script of this one."),
                    false);
        }
    }

    private @Nullable Integer version(Connection connection) throws SQLException {
        try (Bound look = dialect.sql("schema_version").on(connection);
                ResultSet row = look.query()) {
            return row.next() ? (Integer) row.getInt("version") : null;
        } catch (SQLException e) {
            if (errors.remedy(e) == Errors.Remedy.MAKE_TABLES) {
                return null;
            }
            throw e;
        }
    }

    void make(Connection connection) throws SQLException {
        for (int i = 1; ; i++) {
            try (Statement statement = connection.createStatement()) {
                for (String one : statements(dialect.schema())) {
                    statement.execute(one);
                }
                return;
            } catch (SQLException e) {
                // Another makes them at this moment, unless they are still missing after a while. What databases
                // say then is of any kind (H2 calls it a general error), so the connection is asked, not the error.
                if (i == TRIES || !connection.isValid(1)) {
                    throw e;
                }
                pause(i);
                if (version(connection) != null) {
                    return;
                }
            }
        }
    }

    static List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        for (String one : script.split(";")) {
            if (!one.isBlank()) {
                statements.add(one.strip());
            }
        }
        return statements;
    }

    private static void pause(int tries) {
        try {
            Thread.sleep(5L * tries);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
