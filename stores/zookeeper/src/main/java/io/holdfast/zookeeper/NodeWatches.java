package io.holdfast.zookeeper;

import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a lock may have become free, or a latch has changed. A watch stays in place on the node of the name, whether
 * that exists or not, until it has no watcher any more; nothing has to be read when it fires.
 */
final class NodeWatches {

    private static final Logger log = LoggerFactory.getLogger(NodeWatches.class);

    private final Ledger ledger;
    private final Map<String, Watched> watched = new HashMap<>();

    NodeWatches(Ledger ledger) {
        this.ledger = ledger;
    }

    Subscription add(Resource resource, Runnable changed) {
        String path = ledger.tree.name(resource);
        Runnable own = () -> call(changed); // equal to no other, so that it can be removed
        Watched node;
        boolean inPlace;
        boolean first;
        synchronized (watched) {
            Watched known = watched.get(path);
            first = known == null;
            node = known == null ? new Watched(resource.type(), path) : known;
            watched.put(path, node);
            node.watchers.add(own);
            inPlace = node.inPlace;
        }
        if (first) {
            node.place();
        } else if (inPlace) {
            own.run();
        }
        return () -> remove(node, own);
    }

    private void remove(Watched node, Runnable own) {
        synchronized (watched) {
            if (!node.watchers.remove(own) || !node.watchers.isEmpty()) {
                return;
            }
            watched.remove(node.path, node);
            node.end(); // sent before another watch of that path can be, which it would end as well
        }
    }

    /** The session is another one. */
    void placeAll() {
        List<Watched> all;
        synchronized (watched) {
            all = List.copyOf(watched.values());
        }
        for (Watched one : all) {
            one.inPlace = false;
            one.place();
        }
    }

    void close() {
        synchronized (watched) {
            watched.clear();
        }
    }

    private static void call(Runnable changed) {
        try {
            changed.run();
        } catch (RuntimeException | Error e) {
            log.error("A watcher of a lock failed; the others go on", e);
        }
    }

    private final class Watched extends StandingWatch {

        final List<Runnable> watchers = new CopyOnWriteArrayList<>();
        volatile boolean inPlace;
        private final ResourceType type;

        Watched(ResourceType type, String path) {
            super(
                    ledger.session,
                    path,
                    type == ResourceType.LATCH ? AddWatchMode.PERSISTENT : AddWatchMode.PERSISTENT_RECURSIVE);
            this.type = type;
        }

        @Override
        boolean isOver() {
            synchronized (watched) {
                return watched.get(path) != this;
            }
        }

        @Override
        void inPlace() {
            inPlace = true;
            tell();
        }

        @Override
        void heard(WatchedEvent event) {
            switch (event.getType()) {
                case NodeDeleted -> {
                    if (event.getPath().equals(path)) {
                        ledger.crowded.remove(path);
                    }
                    if (type == ResourceType.LATCH || event.getPath().startsWith(path + "/h~")) {
                        tell();
                    }
                }
                case NodeCreated, NodeDataChanged -> {
                    if (type == ResourceType.LATCH) {
                        tell();
                    }
                }
                default -> {}
            }
        }

        private void tell() {
            watchers.forEach(Runnable::run);
        }
    }
}
