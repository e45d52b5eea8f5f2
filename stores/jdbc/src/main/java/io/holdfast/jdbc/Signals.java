package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the database told of what this store watches, and, where the database does not tell of changes, looks for them:
 * one thread and one query for all that is watched, from when the first watch begins.
 *
 * <p>It looks at once after anything has happened and then ever more rarely, in proportion to the time that has passed:
 * who waits for 8 ms looks every millisecond or two, who waits for a second every tenth of one. So looking adds little to
 * a short wait, and costs little in a long one.
 */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private static final long MARKED_MICROS = Micros.of(Duration.ofSeconds(15));
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int SHARE = 8;
    private static final int AT_ONCE = 256;
    private static final long CLOSE_MILLIS = 500;

    private final Commands commands;
    private final Dialect dialect;
    private final Watchers watches;
    private final @Nullable Listener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** The claims that are known to wait in a queue. */
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /** The locks that are held by revocable claims, by their ids. */
    private final Map<String, String> revocable = new ConcurrentHashMap<>();

    /** How often claims had been called when that was seen last. Used by the one thread only. */
    private final Map<String, Long> calls = new HashMap<>();

    private @Nullable Thread thread;
    private boolean isNew;
    private boolean closed;
    private volatile long lastNews;
    private long lastMarked;

    /** @param listener hears what the database tells; {@code null} where it does not */
    Signals(Commands commands, Dialect dialect, Watchers watches, @Nullable Listener listener) {
        this.commands = commands;
        this.dialect = dialect;
        this.watches = watches;
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
            hurry();
        } finally {
            lock.unlock();
        }
    }

    /** The claim waits in a queue of the database from now on. */
    void waits(String claimId) {
        if (waiting.add(claimId)) {
            lock.lock();
            try {
                hurry();
            } finally {
                lock.unlock();
            }
        }
    }

    boolean isWaiting(String claimId) {
        return waiting.contains(claimId);
    }

    /** The claim holds a lock from now on, and is called when others ask for that. */
    void revocable(Claim claim) {
        if (revocable.put(claim.id(), claim.name()) == null) {
            lock.lock();
            try {
                hurry();
            } finally {
                lock.unlock();
            }
        }
    }

    boolean isRevocable(String claimId) {
        return revocable.containsKey(claimId);
    }

    void waitsNoMore(String claimId) {
        waiting.remove(claimId);
    }

    /** The claim need not be called any more. */
    void isOver(String claimId) {
        waiting.remove(claimId);
        revocable.remove(claimId);
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
    private void hurry() {
        isNew = true;
        lastNews = System.nanoTime();
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
        boolean looks = listener == null || listener.isImpossible();
        if (looks) {
            look();
        }
        watches.mark(fresh);
        fresh.forEach(watches::changed);
        return looks ? Math.min(interval(), REFRESH_NANOS) : REFRESH_NANOS;
    }

    private long interval() {
        List<Key> keys = watches.keys();
        if (keys.isEmpty()) {
            return REFRESH_NANOS;
        }
        boolean busy =
                !waiting.isEmpty() || !revocable.isEmpty() || keys.stream().anyMatch(key -> key.kind() != Key.CLIENT);
        long share = (System.nanoTime() - lastNews) / SHARE;
        return busy ? Math.max(SHORTEST_NANOS, Math.min(share, LONGEST_NANOS)) : IDLE_NANOS;
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

    private void look() {
        List<byte[]> names = new ArrayList<>();
        List<String> clients = new ArrayList<>();
        Map<Key, Long> changes = new HashMap<>();
        for (Key key : watches.keys()) {
            if (key.kind() == Key.CLIENT) {
                clients.add(key.name());
            } else {
                names.add(key.bytes());
                changes.put(key, 0L);
            }
        }
        List<String> called = new ArrayList<>();
        if (!names.isEmpty() || !clients.isEmpty()) {
            commands.runHere("Looking for changes", connection -> {
                called.clear();
                for (int from = 0; from < names.size(); from += AT_ONCE) {
                    lookForChanges(connection, names.subList(from, Math.min(names.size(), from + AT_ONCE)), changes);
                }
                if (!clients.isEmpty()) {
                    lookForCalls(connection, clients, called);
                }
                return true;
            });
        }
        changes.forEach((key, number) -> {
            if (watches.saw(key, number)) {
                lastNews = System.nanoTime();
                watches.changed(key);
            }
        });
        for (String id : called) {
            lastNews = System.nanoTime();
            watches.called(id);
        }
    }

    private void lookForChanges(Connection connection, List<byte[]> names, Map<Key, Long> changes) throws SQLException {
        try (Bound poll = dialect.sql("poll").on(connection, names.size());
                ResultSet row = poll.setNames("names", names).query()) {
            while (row.next()) {
                changes.replace(new Key(row.getInt("what"), Key.text(row.getBytes("name"))), row.getLong("changed"));
            }
        }
    }

    private void lookForCalls(Connection connection, List<String> clients, List<String> called) throws SQLException {
        Map<String, Long> found = findAsked(connection);
        try (Bound poll = dialect.sql("poll_calls").on(connection, clients.size());
                ResultSet row = poll.setTexts("clients", clients).query()) {
            while (row.next()) {
                found.put(row.getString("id"), row.getLong("called"));
            }
        }
        found.forEach((id, number) -> {
            if (!number.equals(calls.get(id))) {
                called.add(id);
            }
        });
        calls.clear();
        calls.putAll(found);
    }

    /** How often the holders were called that yield. */
    private Map<String, Long> findAsked(Connection connection) throws SQLException {
        Map<String, Long> found = new HashMap<>();
        Map<String, String> held = Map.copyOf(revocable);
        List<byte[]> names = held.values().stream().distinct().map(Key::bytes).toList();
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            List<byte[]> some = names.subList(from, Math.min(names.size(), from + AT_ONCE));
            try (Bound poll = dialect.sql("poll_asked").on(connection, some.size());
                    ResultSet row = poll.setNames("names", some).query()) {
                while (row.next()) {
                    String holder = row.getString("holder");
                    long called = row.getLong("called");
                    if (holder != null && held.containsKey(holder) && called > 0) {
                        found.put(holder, called);
                    }
                }
            }
        }
        return found;
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
