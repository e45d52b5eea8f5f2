package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears what PostgreSQL has to tell this store: one connection, from when something is first watched. */
final class Listener {

    private static final Logger log = LoggerFactory.getLogger(Listener.class);

    private static final int SILENCE_MILLIS = 10_000;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Connections connections;
    private final String channel;
    private final Consumer<String> hearer;
    private volatile boolean listening;
    private volatile boolean impossible;
    private volatile boolean closed;
    private volatile @Nullable Connection raw;

    /** @param me what others call this store; letters and digits only */
    Listener(Connections connections, String me, Consumer<String> hearer) {
        this.connections = connections;
        this.channel = "holdfast_" + me;
        this.hearer = hearer;
    }

    /** @param changed is run when it begins to listen, or knows that it can't */
    void start(Runnable changed) {
        Thread thread = new Thread(() -> loop(changed), "holdfast-jdbc-listener");
        thread.setDaemon(true);
        thread.start();
    }

    boolean isListening() {
        return listening;
    }

    /** Whether the connections that there are can't be listened on. */
    boolean isImpossible() {
        return impossible;
    }

    void close() {
        closed = true;
        abort();
    }

    private void loop(Runnable changed) {
        while (!closed && !impossible) {
            try {
                Connection connection = connections.open();
                boolean usable = false;
                try {
                    listen(connection, changed);
                    usable = !closed;
                } finally {
                    listening = false;
                    raw = null;
                    if (usable) {
                        connections.close(connection);
                    } else {
                        connections.discard(connection);
                    }
                }
            } catch (SQLException e) {
                if (!closed) {
                    log.debug("Listening for changes was broken off: {}", e.getMessage());
                    changed.run();
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
    }

    private void listen(Connection connection, Runnable changed) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            impossible = true;
            log.info("The data source hides PostgreSQL's own connections, so changes are looked for instead of heard");
            changed.run();
            return;
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        raw = (Connection) postgres;
        if (closed) {
            return;
        }
        // Not by way of the pool, which would warn of a connection that is broken off on purpose.
        try (Statement statement = raw.createStatement()) {
            statement.execute("LISTEN " + channel);
            listening = true;
            changed.run();
            while (!closed) {
                PGNotification[] heard = postgres.getNotifications(SILENCE_MILLIS);
                if (heard == null || heard.length == 0) {
                    statement.execute("SELECT 1"); // is anybody still there?
                } else {
                    for (PGNotification one : heard) {
                        hearer.accept(one.getParameter());
                    }
                }
            }
            statement.execute("UNLISTEN " + channel);
        }
    }

    // The thread waits for the database and for nothing else.
    private void abort() {
        Connection waiting = raw;
        if (waiting != null) {
            try {
                waiting.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("The connection for messages was not closed in order", e);
            }
        }
    }
}
