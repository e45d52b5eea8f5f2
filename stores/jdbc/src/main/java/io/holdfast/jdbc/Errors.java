package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns what databases and drivers say into what Holdfast does: try again at once, connect again, make the tables, or
 * tell. A database that answered has refused; everything else means that it is not known whether the command ran.
 */
final class Errors {

    /** What is to be done about a failure. */
    enum Remedy {
        /** It lost against another transaction and left nothing behind: run it again. */
        AGAIN,
        /** Its connection is gone; whether it ran is not known. */
        RECONNECT,
        /** There are no tables. */
        MAKE_TABLES,
        TELL
    }

    private record Rule(boolean retryable, String advice) {}

    private static final Set<String> LOST_AGAINST_ANOTHER = Set.of(
            "40001", // serialization failure; a deadlock in MySQL and H2
            "40P01", // deadlock in PostgreSQL
            "55P03", // lock not available
            "23505", // the row was made at the same moment (H2, and claims in PostgreSQL)
            "23000", // the same in MySQL
            "90131", // H2: concurrent update
            "50200", // H2: lock timeout
            "HYT00"); // lock timeout, as H2 calls it in its newer versions

    private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

    /** Of those, the ones that say that somebody has a row locked. */
    private static final Set<String> LOCKED = Set.of("55P03", "50200", "HYT00");

    /** The same in MySQL: waited for, and not waited for. */
    private static final Set<Integer> MYSQL_LOCKED = Set.of(1205, 3572);

    private static final int MYSQL_READ_ONLY = 1290;
    private static final int MYSQL_NO_SUCH_DATABASE = 1049;
    /** Too many connections (of all, and of this user), no memory, no disk. */
    private static final Set<Integer> MYSQL_FULL = Set.of(1021, 1037, 1038, 1040, 1041, 1114, 1203, 1226);

    private static final Set<Integer> MYSQL_DENIED = Set.of(1044, 1045, 1142, 1143, 1227, 1698);
    private static final Set<Integer> H2_READ_ONLY = Set.of(90097);
    private static final int H2_DENIED = 90096;

    private final String store;
    private final Database database;

    /** @param store the store's description, for messages */
    Errors(String store, Database database) {
        this.store = store;
        this.database = database;
    }

    Remedy remedy(SQLException thrown) {
        SQLException answer = answer(thrown);
        String state = state(answer);
        if (NO_TABLE.contains(state)) {
            return Remedy.MAKE_TABLES;
        }
        if (LOST_AGAINST_ANOTHER.contains(state) || isLocked(answer)) {
            return Remedy.AGAIN;
        }
        return rule(answer) == null ? Remedy.RECONNECT : Remedy.TELL;
    }

    /** Whether the database said no, and trying again changes nothing. */
    boolean isFinal(SQLException thrown) {
        Rule rule = rule(answer(thrown));
        return rule != null && !rule.retryable;
    }

    /** Whether another transaction has a row locked that was needed. */
    boolean isLocked(SQLException thrown) {
        SQLException answer = answer(thrown);
        return LOCKED.contains(state(answer))
                || (database == Database.MYSQL && MYSQL_LOCKED.contains(answer.getErrorCode()));
    }

    /** @param what what was asked for, to begin the message with */
    HoldfastException translate(String what, SQLException thrown) {
        SQLException answer = answer(thrown);
        Rule rule = rule(answer);
        String said = String.valueOf(answer.getMessage()).strip();
        return rule == null
                ? new StoreUnavailableException(what + ": " + store + " did not answer: " + said, answer)
                : new StoreRefusedException(
                        what + " was refused by " + store + ": " + said + " (" + state(answer) + "). " + rule.advice
                                + ".",
                        rule.retryable,
                        answer);
    }

    StoreUnavailableException closed(String what) {
        return new StoreUnavailableException(what + ": " + store + " was closed by this client, or has too much to do");
    }

    StoreRefusedException locked(String what) {
        return new StoreRefusedException(
                what + " was refused by " + store + ": another transaction has its row locked and does not end", true);
    }

    StoreUnavailableException late(String what) {
        return new StoreUnavailableException(what + ": " + store + " had no connection free in time");
    }

    /** {@code null} if it was no answer of the database. */
    private @Nullable Rule rule(SQLException answer) {
        String state = state(answer);
        int code = answer.getErrorCode();
        if (database == Database.MYSQL) {
            if (code <= 0 && state.startsWith("42")) {
                return null; // what the server says of that has a number; this is its driver's
            }
            if (MYSQL_DENIED.contains(code)) {
                return denied();
            }
            if (code == MYSQL_READ_ONLY) {
                return readOnly();
            }
            if (MYSQL_FULL.contains(code)) {
                return full();
            }
            if (code == MYSQL_NO_SUCH_DATABASE) {
                return no("Create the database, or name another in the URI");
            }
        }
        if (database == Database.H2) {
            if (H2_READ_ONLY.contains(code)) {
                return readOnly();
            }
            if (code == H2_DENIED) {
                return denied();
            }
            if (state.startsWith("90")) {
                return h2(code);
            }
        }
        if (NO_TABLE.contains(state)) {
            return no("Its tables are missing: let this user create tables, or have them made with the script for "
                    + database.title() + " in holdfast-jdbc (JdbcSchema.script)");
        }
        if (LOST_AGAINST_ANOTHER.contains(state) || isLocked(answer)) {
            return yes("Other transactions were in the way again and again");
        }
        return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
            case "28" -> no("Check the user and the password");
            case "3D" -> no("Create the database, or name another in the URI");
            case "42" ->
                state.equals("42501")
                        ? denied()
                        : no("The tables are not as this version of Holdfast expects them: see JdbcSchema.check");
            case "25" ->
                switch (state) {
                    case "25006" -> readOnly();
                    case "25P03", "25P04" -> null; // it stood still in a transaction, and the database has hung up
                    default -> no("The connection is in a state that it should not be in");
                };
            case "53" -> full();
            case "54", "22", "23", "0A" -> no("Holdfast did not expect this answer");
            case "57" -> state.equals("57014") ? yes("A time limit of the database ended the statement") : null;
            default -> null;
        };
    }

    // H2's own states all begin with 90. Those of a database that is closed, locked by another process or broken off
    // may pass; the rest are answers.
    private static @Nullable Rule h2(int code) {
        return switch (code) {
            case 90007, 90013, 90020, 90026, 90028, 90031, 90067, 90098, 90108, 90121 -> null;
            default -> no("Holdfast did not expect this answer");
        };
    }

    private static Rule denied() {
        return no("Grant this user SELECT, INSERT, UPDATE and DELETE on the tables holdfast_…");
    }

    private static Rule readOnly() {
        return yes("The database is read-only: a failover may be under way, or the URI is not the primary's");
    }

    private static Rule full() {
        return yes("The database has run out of connections, memory or disk");
    }

    /** What lies behind a pool's "no connection", if there is something that says more. */
    private static SQLException answer(SQLException thrown) {
        SQLException answer = thrown;
        for (Throwable t = thrown.getCause(); t != null; t = t.getCause()) {
            if (t instanceof SQLException cause && isAboutConnecting(answer)) {
                answer = cause;
            }
        }
        return answer;
    }

    private static boolean isAboutConnecting(SQLException e) {
        return e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || e instanceof SQLTimeoutException
                || e.getSQLState() == null;
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    private static Rule yes(String advice) {
        return new Rule(true, advice);
    }

    private static Rule no(String advice) {
        return new Rule(false, advice);
    }
}
