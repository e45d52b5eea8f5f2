package io.holdfast.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who of this store's users wants to hear of what, and what of that the database has been told of. */
final class Watchers {

    private static final Logger log = LoggerFactory.getLogger(Watchers.class);

    private static final class Watched {
        final Map<Object, Consumer<String>> hearers = new LinkedHashMap<>();

        /** Whether the database knows that it is watched. */
        boolean marked;

        /** The number of changes that was seen last, where they are looked for. */
        long seen;
    }

    private final String me = UUID.randomUUID().toString().replace("-", "");
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Watched> watched = new HashMap<>();
    private final Set<Key> unwanted = new LinkedHashSet<>();

    /** This store, as others know it who have something to tell it. */
    String me() {
        return me;
    }

    /**
     * Watches for as long as the answer is not run.
     *
     * @param hearer is given the id of a called claim; of no meaning for other keys
     * @return ends it
     */
    Runnable add(Key key, Consumer<String> hearer) {
        Object ticket = new Object();
        lock.lock();
        try {
            Watched its = watched.computeIfAbsent(key, unused -> new Watched());
            its.hearers.put(ticket, hearer);
            unwanted.remove(key);
        } finally {
            lock.unlock();
        }
        return () -> remove(key, ticket);
    }

    private void remove(Key key, Object ticket) {
        lock.lock();
        try {
            Watched its = watched.get(key);
            if (its != null && its.hearers.remove(ticket) != null && its.hearers.isEmpty()) {
                watched.remove(key);
                if (its.marked) {
                    unwanted.add(key);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isMarked(Key key) {
        lock.lock();
        try {
            Watched its = watched.get(key);
            return its != null && its.marked;
        } finally {
            lock.unlock();
        }
    }

    /** What is watched. */
    List<Key> keys() {
        return keys(its -> true);
    }

    /** What is watched and the database does not know of. */
    List<Key> unmarked() {
        return keys(its -> !its.marked);
    }

    private List<Key> keys(Predicate<Watched> which) {
        lock.lock();
        try {
            List<Key> keys = new ArrayList<>();
            watched.forEach((key, its) -> {
                if (which.test(its)) {
                    keys.add(key);
                }
            });
            return keys;
        } finally {
            lock.unlock();
        }
    }

    /** What the database believes to be watched and is not any more; asking takes it off the list. */
    List<Key> takeUnwanted() {
        lock.lock();
        try {
            List<Key> keys = List.copyOf(unwanted);
            unwanted.clear();
            return keys;
        } finally {
            lock.unlock();
        }
    }

    /** The database knows of them now. */
    void mark(List<Key> keys) {
        lock.lock();
        try {
            for (Key key : keys) {
                Watched its = watched.get(key);
                if (its != null) {
                    its.marked = true;
                } else {
                    unwanted.add(key);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing of it can be relied on any more. */
    void unmarkAll() {
        lock.lock();
        try {
            watched.values().forEach(its -> its.marked = false);
        } finally {
            lock.unlock();
        }
    }

    /** Notes the number of changes. Whether it is another than before. */
    boolean saw(Key key, long changes) {
        lock.lock();
        try {
            Watched its = watched.get(key);
            if (its == null || its.seen == changes) {
                return false;
            }
            its.seen = changes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** What is watched has changed, or may have. */
    void changed(Key key) {
        hear(key, "");
    }

    /** The turn of a claim has come. */
    void called(String claimId) {
        hear(Key.client(claimId.substring(0, claimId.lastIndexOf(':'))), claimId);
    }

    void hear(String text) {
        Message message = Message.parse(text);
        if (message instanceof Message.Changed changed) {
            changed(changed.key());
        } else if (message instanceof Message.Called called && called.claimId().contains(":")) {
            called(called.claimId());
        }
    }

    private void hear(Key key, String text) {
        List<Consumer<String>> hearers;
        lock.lock();
        try {
            Watched its = watched.get(key);
            hearers = its == null ? List.of() : List.copyOf(its.hearers.values());
        } finally {
            lock.unlock();
        }
        for (Consumer<String> hearer : hearers) {
            try {
                hearer.accept(text);
            } catch (RuntimeException | Error e) {
                log.error("A watcher failed; the others go on", e);
            }
        }
    }
}
