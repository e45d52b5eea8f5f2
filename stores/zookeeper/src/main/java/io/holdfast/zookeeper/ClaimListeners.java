package io.holdfast.zookeeper;

import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listener of each client. A client's tickets are mostly taken by the process that listens for it, and then a
 * notification is a method call. Another process is notified by a node that has the claim's id for a name, and is deleted
 * in the transaction that makes it: the event says everything, and nothing is left.
 */
final class ClaimListeners {

    private static final int ASKED = 1 << 12;

    /** A claim that holds is called again, in case it was not heard, but not more often than this. */
    private static final long AGAIN_NANOS = 500_000_000;

    private final Ledger ledger;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    /** When claims that hold were last called. */
    private final Recent<Long> asked = new Recent<>(ASKED);

    ClaimListeners(Ledger ledger) {
        this.ledger = ledger;
    }

    Subscription listen(String client, Consumer<String> hears) {
        Listener listener = new Listener(client, hears);
        listeners.put(client, listener);
        listener.place();
        return () -> {
            if (listeners.remove(client, listener)) {
                listener.end();
            }
        };
    }

    /** Calls the claim with that id, here or in another process. */
    void call(String id) {
        String client = client(id);
        Listener here = listeners.get(client);
        if (here != null) {
            here.hears.accept(id);
        } else {
            send(ledger.tree.listeners(client), id);
        }
    }

    /** Notifies the revocable claims that hold; each needs to hear it only once. */
    void ask(List<String> ids) {
        for (String id : ids) {
            Long last = asked.get(id);
            if (last == null || ledger.now() - last >= AGAIN_NANOS) {
                asked.put(id, ledger.now());
                call(id);
            }
        }
    }

    private void send(String path, String id) {
        Errors.unless(transact(path, id), code -> switch (code) {
            case NONODE -> ledger.session.createAll(Session.parent(path)).thenCompose(unused -> transact(path, id));
            default -> null;
        });
    }

    private CompletableFuture<List<OpResult>> transact(String path, String id) {
        String call = path + "/" + Names.encode(id);
        return ledger.session.multi(List.of(
                ledger.session.make(path, Session.NOTHING, CreateMode.PERSISTENT),
                ledger.session.make(call, Session.NOTHING, CreateMode.PERSISTENT),
                Op.delete(call, -1),
                Op.delete(path, -1)));
    }

    /** The session is another one. */
    void begin() {
        listeners.values().forEach(Listener::place);
    }

    void close() {
        listeners.clear();
    }

    /** What the ids of a client's claims begin with. */
    private static String client(String id) {
        int colon = id.lastIndexOf(':');
        return colon < 0 ? id : id.substring(0, colon);
    }

    private final class Listener extends StandingWatch {

        final Consumer<String> hears;
        private final String client;

        Listener(String client, Consumer<String> hears) {
            super(ledger.session, ledger.tree.listeners(client), AddWatchMode.PERSISTENT_RECURSIVE);
            this.client = client;
            this.hears = hears;
        }

        @Override
        boolean isOver() {
            return listeners.get(client) != this;
        }

        @Override
        void inPlace() {
            hears.accept(""); // of any that were called before
        }

        @Override
        void heard(WatchedEvent event) {
            @Nullable String node = event.getPath();
            if (event.getType() == EventType.NodeCreated && node != null && node.length() > path.length()) {
                hears.accept(Names.decode(node.substring(path.length() + 1)));
            }
        }
    }
}
