package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs commands in the store's own threads, each with a connection that it has for no longer than it needs it, and does
 * about a failure what {@link Errors} says. Every command may run twice.
 */
final class Commands {

    private static final Logger log = LoggerFactory.getLogger(Commands.class);

    private static final int TRIES = 12;
    private static final int RECONNECTS = 2;
    private static final int LONGEST_PAUSE_MILLIS = 40;

    /** What is done with a connection that commits each statement. */
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    private final Connections connections;
    private final Lanes lanes;
    private final Dialect dialect;
    private final Errors errors;
    private final Schema schema;
    private final long timeoutNanos;
    private volatile boolean closed;

    Commands(Connections connections, Lanes lanes, Dialect dialect, Errors errors, Schema schema, Duration timeout) {
        this.connections = connections;
        this.lanes = lanes;
        this.dialect = dialect;
        this.errors = errors;
        this.schema = schema;
        this.timeoutNanos = timeout.toNanos();
    }

    /** @param what what is asked for, to begin error messages with */
    <T> CompletableFuture<T> run(String what, Work<T> work) {
        Command<T> command = new Command<>(what, work);
        lanes.work(command);
        return command.answer;
    }

    /** As {@link #run}, for a command that may never have to run by itself. */
    <T> Command<T> prepare(String what, Work<T> work) {
        return new Command<>(what, work);
    }

    void run(Lanes.Task task) {
        lanes.work(task);
    }

    /** As {@link #run}, and not behind what waits there. */
    <T> CompletableFuture<T> renew(String what, Work<T> work) {
        Command<T> command = new Command<>(what, work);
        lanes.renew(command);
        return command.answer;
    }

    /** As {@link #renew}, for what may have to wait and must not hold up other renewals. */
    <T> CompletableFuture<T> renewPatiently(String what, Work<T> work) {
        Command<T> command = new Command<>(what, work);
        lanes.renewPatiently(command);
        return command.answer;
    }

    /** Runs it in this thread, which is one of the store's. */
    <T> T runHere(String what, Work<T> work) {
        return runHere(what, work, System.nanoTime());
    }

    private <T> T runHere(String what, Work<T> work, long askedAt) {
        try {
            return attempt(work, askedAt);
        } catch (SQLException e) {
            throw failure(what, e);
        }
    }

    /** As {@link #runHere}; what can't be helped is thrown as it is. */
    <T> T attempt(Work<T> work) throws SQLException {
        return attempt(work, System.nanoTime());
    }

    private <T> T attempt(Work<T> work, long askedAt) throws SQLException {
        int lost = 0;
        int broken = 0;
        boolean made = false;
        boolean locked = false;
        while (true) {
            try {
                Connection connection = connections.open();
                try {
                    schema.ensure(connection);
                    if (locked) {
                        dialect.endStalled(connection);
                    }
                    return work.run(connection);
                } finally {
                    close(connection);
                }
            } catch (SQLException e) {
                Errors.Remedy remedy = closed ? Errors.Remedy.TELL : errors.remedy(e);
                boolean again = switch (remedy) {
                    case AGAIN -> ++lost < TRIES && !isLate(askedAt);
                    case RECONNECT -> !isConnecting(e) && ++broken <= RECONNECTS && !isLate(askedAt);
                    case MAKE_TABLES -> !made;
                    case TELL -> false;
                };
                if (remedy == Errors.Remedy.RECONNECT && !isConnecting(e)) {
                    connections.suspect();
                }
                if (!again) {
                    throw e;
                }
                locked = errors.isLocked(e);
                if (remedy == Errors.Remedy.AGAIN) {
                    pause(lost);
                } else if (remedy == Errors.Remedy.MAKE_TABLES) {
                    made = true;
                    schema.forget();
                }
            }
        }
    }

    /** Whether whoever asked has given up, or asks again: what is sent so late would only be in the way. */
    private boolean isLate(long askedAt) {
        return System.nanoTime() - askedAt > timeoutNanos;
    }

    /** Whether the database said no, rather than nothing. */
    boolean isRefusal(SQLException e) {
        return !closed && errors.remedy(e) != Errors.Remedy.RECONNECT;
    }

    boolean isLostAgainstAnother(SQLException e) {
        return errors.remedy(e) == Errors.Remedy.AGAIN;
    }

    private HoldfastException failure(String what, SQLException e) {
        return closed ? errors.closed(what) : errors.translate(what, e);
    }

    /** Nothing is begun any more. */
    void close() {
        closed = true;
    }

    // There was no connection in all the time that there is: trying again takes as long again.
    private static boolean isConnecting(SQLException e) {
        return e instanceof java.sql.SQLTransientConnectionException;
    }

    private void close(Connection connection) {
        try {
            connections.close(connection);
        } catch (SQLException e) {
            log.debug("A connection was not given back in order", e);
        }
    }

    private static void pause(int lost) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(Math.min(LONGEST_PAUSE_MILLIS, 1 << lost) + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only a foreign hand does that; go on without the pause
        }
    }

    /** One that waits for its turn. */
    final class Command<T> implements Lanes.Task {

        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final String what;
        private final Work<T> work;
        private final long askedAt = System.nanoTime();

        Command(String what, Work<T> work) {
            this.what = what;
            this.work = work;
        }

        CompletableFuture<T> answer() {
            return answer;
        }

        /** It ran with others, and that is what became of it. */
        void fail(SQLException e) {
            answer.completeExceptionally(failure(what, e));
        }

        void fail(Throwable e) {
            if (!(e instanceof HoldfastException)) {
                log.error("{} failed unexpectedly", what, e);
            }
            answer.completeExceptionally(e);
        }

        /** Whether it has waited for its turn for too long; it is answered then. */
        boolean isTooLate() {
            boolean late = isLate(askedAt);
            if (late) {
                answer.completeExceptionally(errors.late(what));
            }
            return late;
        }

        @Override
        public void run() {
            if (isTooLate()) {
                return;
            }
            T result;
            try {
                result = runHere(what, work, askedAt);
            } catch (RuntimeException | Error e) {
                fail(e);
                return;
            }
            answer.complete(result);
        }

        @Override
        public void dropped() {
            answer.completeExceptionally(errors.closed(what));
        }
    }
}
