package io.holdfast.jdbc;

import io.holdfast.jdbc.Tickets.Seen;
import io.holdfast.jdbc.Tickets.Ticket;
import io.holdfast.spi.Claim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Looks for what the database does not tell: changes of what is watched, and claims whose turn has come or that are asked to
 * give way. {@link Turns} says when to look at the ticket of an exclusive claim. For everything else there is one query, at once
 * after anything has happened and then ever more rarely, in proportion to the time that has passed: a claim that waits for 8 ms
 * is looked at every millisecond or two, one that waits for a second every tenth of one.
 */
final class Polling {

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** While nothing is known to wait: claims may have been sent by another store, or their answers lost. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int SHARE = 8;
    private static final int AT_ONCE = 256;

    private final Commands commands;
    private final Dialect dialect;
    private final Watchers watches;
    private final Tickets tickets;
    private final Turns turns = new Turns();

    /** The claims, other than exclusive ones, that are known to wait in a queue. */
    private final Set<String> sharing = ConcurrentHashMap.newKeySet();

    /** The locks that are held by revocable claims, by their ids. */
    private final Map<String, String> revocable = new ConcurrentHashMap<>();

    /** How often claims had been called when that was seen last. Used by the one thread only. */
    private final Map<String, Long> calls = new HashMap<>();

    private volatile long lastNews;
    private volatile long lookAt = System.nanoTime();
    private long lookedForAll = System.nanoTime() - IDLE_NANOS;

    Polling(Commands commands, Dialect dialect, Watchers watches, Tickets tickets) {
        this.commands = commands;
        this.dialect = dialect;
        this.watches = watches;
        this.tickets = tickets;
    }

    /** The claim was sent, and waits in a queue. Whether that is to be looked at sooner than was planned. */
    boolean waits(Claim claim) {
        return Tickets.isFor(claim) ? turns.waits(Ticket.of(claim)) : sharing.add(claim.id()) && hurry();
    }

    boolean isWaiting(String claimId) {
        return sharing.contains(claimId) || turns.isWaiting(claimId);
    }

    /** The claim holds a lock from now on, and is called when others ask for that. */
    boolean revocable(Claim claim) {
        return revocable.put(claim.id(), claim.name()) == null && hurry();
    }

    boolean isRevocable(String claimId) {
        return revocable.containsKey(claimId);
    }

    void waitsNoMore(String claimId) {
        sharing.remove(claimId);
        turns.isOver(claimId);
    }

    void isOver(String claimId) {
        waitsNoMore(claimId);
        revocable.remove(claimId);
    }

    /** The lock was released by this store. Whether it has a ticket for it, which is to be looked at now. */
    boolean released(String name) {
        return turns.released(name);
    }

    /** Something has happened: looks at once. */
    boolean hurry() {
        lastNews = System.nanoTime();
        lookAt = lastNews;
        return true;
    }

    /** For how long nothing is to be looked at; at most that long. */
    long untilDue(long longest) {
        long now = System.nanoTime();
        return turns.untilDue(now, Math.max(0, Math.min(longest, lookAt - now)));
    }

    /** Looks at what is due. */
    void look() {
        long now = System.nanoTime();
        if (now - lookAt >= 0) {
            List<Key> keys = watches.keys();
            lookAt = now + LONGEST_NANOS; // until it is known better
            look(keys, now);
            lookAt = System.nanoTime() + interval(keys);
        }
        List<Ticket> due = turns.due(now);
        if (!due.isEmpty()) {
            List<Seen> seen = commands.runHere("Looking for turns", connection -> tickets.look(connection, due));
            turns.saw(due, seen, System.nanoTime()).forEach(watches::called);
        }
    }

    private long interval(List<Key> keys) {
        boolean busy =
                !sharing.isEmpty() || !revocable.isEmpty() || keys.stream().anyMatch(key -> key.kind() != Key.CLIENT);
        long share = (System.nanoTime() - lastNews) / SHARE;
        return busy ? Math.max(SHORTEST_NANOS, Math.min(share, LONGEST_NANOS)) : IDLE_NANOS;
    }

    private void look(List<Key> keys, long now) {
        List<byte[]> names = new ArrayList<>();
        List<String> clients = new ArrayList<>();
        Map<Key, Long> changes = new HashMap<>();
        for (Key key : keys) {
            if (key.kind() == Key.CLIENT) {
                clients.add(key.name());
            } else {
                names.add(key.bytes());
                changes.put(key, 0L);
            }
        }
        boolean all = now - lookedForAll >= IDLE_NANOS;
        List<String> called = new ArrayList<>();
        if (!names.isEmpty() || !clients.isEmpty()) {
            commands.runHere("Looking for changes", connection -> {
                called.clear();
                for (int from = 0; from < names.size(); from += AT_ONCE) {
                    lookForChanges(connection, names.subList(from, Math.min(names.size(), from + AT_ONCE)), changes);
                }
                if (!clients.isEmpty()) {
                    lookForCalls(connection, clients, all, called);
                }
                return true;
            });
        }
        lookedForAll = all ? now : lookedForAll;
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

    private void lookForCalls(Connection connection, List<String> clients, boolean all, List<String> called)
            throws SQLException {
        Map<String, Long> found = findAsked(connection);
        try (Bound poll = dialect.sql("poll_calls").on(connection, clients.size());
                ResultSet row = poll.setTexts("clients", clients)
                        .set("all", all ? 1 : 0)
                        .query()) {
            while (row.next()) {
                String id = row.getString("id");
                if (row.getLong("called") > 0) {
                    found.put(id, row.getLong("called"));
                }
                if (row.getInt("is_ticket") > 0) {
                    turns.found(new Ticket(Key.text(row.getBytes("name")), id));
                }
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
}
