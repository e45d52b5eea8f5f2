package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the database told of what this store watches, and, where the database does not notify, has {@link Polling} look: one
 * thread, from when the first watch begins.
 */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private static final long MARKED_MICROS = Micros.of(Duration.ofSeconds(15));
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long CLOSE_MILLIS = 500;

    private final Commands commands;
    private final Dialect dialect;
    private final Watchers watches;
    private final Polling polling;
    private final @Nullable Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    private @Nullable Thread thread;
    private boolean isNew;
    private boolean closed;
    private long lastMarked;

    /** @param listener hears what the database tells; {@code null} where it does not */
    Signals(Commands commands, Dialect dialect, Watchers watches, Polling polling, @Nullable Listener listener) {
        this.commands = commands;
        this.dialect = dialect;
        this.watches = watches;
        this.polling = polling;
        this.listener = listener;
    }

    /** Something is watched, or no more. */
    void watchesChanged() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                if (listener != null) {
                    listener.start(this::watchesChanged);
                }
                Thread made = new Thread(this::loop, "holdfast-jdbc-signals");
                made.setDaemon(true);
                thread = made;
                made.start();
            }
            polling.hurry();
            wake();
        } finally {
            lock.unlock();
        }
    }

    /** The claim was sent, and waits in a queue of the database. */
    void waits(Claim claim) {
        wakeIf(polling.waits(claim));
    }

    boolean isWaiting(String claimId) {
        return polling.isWaiting(claimId);
    }

    /** The claim holds a lock from now on, and is called when others ask for that. */
    void revocable(Claim claim) {
        wakeIf(polling.revocable(claim));
    }

    boolean isRevocable(String claimId) {
        return polling.isRevocable(claimId);
    }

    void waitsNoMore(String claimId) {
        polling.waitsNoMore(claimId);
    }

    /** The claim need not be called any more. */
    void isOver(String claimId) {
        polling.isOver(claimId);
    }

    /** A lock with claims in its queue was released by this store: it may have the first of them. */
    void released(String name) {
        wakeIf(polling.released(name));
    }

    private void wakeIf(boolean sooner) {
        if (sooner && looks()) {
            lock.lock();
            try {
                wake();
            } finally {
                lock.unlock();
            }
        }
    }

    void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
            news.signalAll();
        } finally {
            lock.unlock();
        }
        if (listener != null) {
            listener.close();
        }
        if (running != null && running != Thread.currentThread()) {
            try {
                running.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // With the lock held.
    private void wake() {
        isNew = true;
        news.signalAll();
    }

    private void loop() {
        boolean well = false;
        while (true) {
            long wait;
            try {
                wait = step();
                well = true;
            } catch (HoldfastException e) {
                log.debug("Changes can't be looked for: {}", e.getMessage());
                watches.unmarkAll();
                well = false;
                wait = RETRY_NANOS;
            } catch (RuntimeException e) {
                log.error("Changes can't be looked for", e);
                wait = RETRY_NANOS;
            }
            if (!await(wait)) {
                if (well) {
                    leave();
                }
                return;
            }
        }
    }

    /** Waits for news. Whether there is any reason to go on. */
    private boolean await(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!isNew && !closed && left > 0) {
                left = news.awaitNanos(left);
            }
            isNew = false;
            return !closed;
        } catch (InterruptedException e) {
            return !closed; // nobody has reason to
        } finally {
            lock.unlock();
        }
    }

    /** Does what is due. For how long nothing is, as far as can be known. */
    private long step() {
        if (listener != null && !listener.isListening() && !listener.isImpossible()) {
            watches.unmarkAll();
            return RETRY_NANOS;
        }
        long now = System.nanoTime();
        List<Key> fresh = watches.unmarked();
        boolean refresh = now - lastMarked >= REFRESH_NANOS;
        List<Key> toMark = refresh ? watches.keys() : fresh;
        List<Key> unwanted = watches.takeUnwanted();
        if (!toMark.isEmpty() || !unwanted.isEmpty()) {
            commands.runHere("Watching " + toMark.size() + " names", connection -> {
                mark(connection, "watch", toMark);
                mark(connection, "unwatch", unwanted);
                return true;
            });
        }
        if (refresh) {
            lastMarked = now;
        }
        boolean looks = looks();
        if (looks) {
            polling.look();
        }
        watches.mark(fresh);
        fresh.forEach(watches::changed);
        return looks ? polling.untilDue(REFRESH_NANOS) : REFRESH_NANOS;
    }

    /** Whether the database does not notify. */
    private boolean looks() {
        return listener == null || listener.isImpossible();
    }

    private void mark(Connection connection, String statement, List<Key> keys) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        try (Bound mark = dialect.sql(statement).on(connection)) {
            for (Key key : keys) {
                mark.set("kind", key.kind())
                        .set("name", key.bytes())
                        .set("me", watches.me())
                        .set("time", MARKED_MICROS)
                        .batch();
            }
            mark.runBatch();
        }
    }

    /** Takes what this store watched out of the database. */
    private void leave() {
        List<Key> all = new ArrayList<>(watches.takeUnwanted());
        all.addAll(watches.keys());
        if (!all.isEmpty()) {
            try {
                commands.runHere("Leaving", connection -> {
                    mark(connection, "unwatch", all);
                    return true;
                });
            } catch (HoldfastException e) {
                log.debug("What was watched is forgotten by the database in a while", e);
            }
        }
    }
}
