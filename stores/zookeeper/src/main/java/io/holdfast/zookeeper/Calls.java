package io.holdfast.zookeeper;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Who listens for which client. A client's places are mostly taken by the process that listens for it, and then a call is a
 * method's; for others each listener has a small ephemeral node, into which the id is written.
 */
final class Calls {

    private final Session session;
    private final Tree tree;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

    Calls(Session session, Tree tree) {
        this.session = session;
        this.tree = tree;
    }

    Subscription listen(String client, Consumer<String> called) {
        Listener listener = new Listener(client, called);
        listeners.put(client, listener);
        listener.begin();
        return () -> {
            if (listeners.remove(client, listener)) {
                session.delete(listener.path, -1);
            }
        };
    }

    void call(Claim claim) {
        Listener here = listeners.get(claim.client());
        if (here != null) {
            here.called.accept(claim.id());
        } else {
            session.set(tree.calls(claim.client()), claim.id().getBytes(StandardCharsets.UTF_8), -1);
        }
    }

    /** The session is another one. */
    void begin() {
        listeners.values().forEach(Listener::begin);
    }

    private final class Listener implements Watcher {

        final String path;
        final Consumer<String> called;
        private final String client;

        Listener(String client, Consumer<String> called) {
            this.client = client;
            this.called = called;
            this.path = tree.calls(client);
        }

        // Best effort: without its node it hears of the places that this process has taken, and of no others.
        void begin() {
            CompletableFuture<String> made =
                    Errors.unless(session.create(path, Session.NOTHING, CreateMode.EPHEMERAL), code -> switch (code) {
                        case NODEEXISTS -> CompletableFuture.completedFuture(path);
                        case NONODE ->
                            session.createAll(Session.parent(path))
                                    .thenCompose(unused -> session.create(path, Session.NOTHING, CreateMode.EPHEMERAL));
                        default -> null;
                    });
            made.thenCompose(unused -> session.data(path, this));
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() == Event.EventType.NodeDataChanged && listeners.get(client) == this) {
                session.data(path, this).thenAccept(data -> {
                    if (!data.text().isEmpty()) {
                        called.accept(data.text());
                    }
                });
            }
        }
    }
}
