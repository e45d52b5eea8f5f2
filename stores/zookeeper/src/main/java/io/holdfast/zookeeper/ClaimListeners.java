package io.holdfast.zookeeper;

import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.Subscription;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

    /** What the name of a node begins with that asks for a revocation. The name of a claim's id never does. */
    private static final String REVOCATION = "~";

    /** A claim that holds is called again, in case it was not heard, but not more often than this. */
    private static final long AGAIN_NANOS = 500_000_000;

    private final Ledger ledger;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    /** When claims that hold were last called. */
    private final Recent<Long> asked = new Recent<>(ASKED);

    ClaimListeners(Ledger ledger) {
        this.ledger = ledger;
    }

    Subscription subscribe(String client, ClaimListener hears) {
        Listener listener = new Listener(client, hears);
        listeners.put(client, listener);
        listener.place();
        return () -> {
            if (listeners.remove(client, listener)) {
                listener.end();
            }
        };
    }

    /** Notifies the claim with that id that its turn has come, here or in another process. */
    void notifyTurn(String id) {
        Listener here = listeners.get(client(id));
        if (here != null) {
            here.hears.turnReached(id);
        } else {
            send(ledger.tree.listeners(client(id)), Names.encode(id));
        }
    }

    /** Asks the revocable claims that hold for their lock; each needs to hear it only once. */
    void requestRevocation(List<String> ids) {
        for (String id : ids) {
            Long last = asked.get(id);
            if (last == null || ledger.now() - last >= AGAIN_NANOS) {
                asked.put(id, ledger.now());
                Listener here = listeners.get(client(id));
                if (here != null) {
                    here.hears.revocationRequested(id);
                } else {
                    send(ledger.tree.listeners(client(id)), REVOCATION + Names.encode(id));
                }
            }
        }
    }

    private void send(String path, String message) {
        Errors.unless(transact(path, message), code -> switch (code) {
            case NONODE ->
                ledger.session.createAll(Session.parent(path)).thenCompose(unused -> transact(path, message));
            default -> null;
        });
    }

    private CompletableFuture<List<OpResult>> transact(String path, String message) {
        String call = path + "/" + message;
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

        final ClaimListener hears;
        private final String client;

        Listener(String client, ClaimListener hears) {
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
            hears.resync();
        }

        @Override
        void heard(WatchedEvent event) {
            @Nullable String node = event.getPath();
            if (event.getType() == EventType.NodeCreated && node != null && node.length() > path.length()) {
                String message = node.substring(path.length() + 1);
                if (message.startsWith(REVOCATION)) {
                    hears.revocationRequested(Names.decode(message.substring(REVOCATION.length())));
                } else {
                    hears.turnReached(Names.decode(message));
                }
            }
        }
    }
}
