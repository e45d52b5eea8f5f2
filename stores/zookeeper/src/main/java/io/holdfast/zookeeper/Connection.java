package io.holdfast.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the client comes from: one of our own, with a new session whenever one has ended, or a given one. */
interface Connection {

    /** The client whose session ephemeral nodes and watches belong to. It need not be connected. */
    ZooKeeper client();

    /** A client for what belongs to no session; connected if one is. */
    default ZooKeeper anyClient() {
        return client();
    }

    /** Ends what is our own, without waiting for long. */
    void close();

    static Connection given(Supplier<ZooKeeper> client) {
        return new Connection() {
            @Override
            public ZooKeeper client() {
                return client.get();
            }

            @Override
            public void close() {}
        };
    }

    /**
     * Our own sessions at that address, one after the other. A client whose connection broke waits for up to two seconds
     * before it connects again, in which a lease may end. What does not need its session goes by a spare one meanwhile.
     */
    final class Own implements Connection {

        private static final Logger log = LoggerFactory.getLogger(Own.class);
        private static final long CLOSE_MILLIS = 1_000;

        private static final long SPARE_TRIED_NANOS = 50_000_000;

        private final ZooKeeperAddress address;
        private final Runnable ended;
        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable ZooKeeper current;

        // As the events say: the client's own state is still "connected" while it waits to connect again.
        private boolean disconnected;
        private boolean spareDisconnected;
        private @Nullable ZooKeeper spare;
        private long spareSince;

        /** @param ended runs when a session has ended by itself */
        Own(ZooKeeperAddress address, Runnable ended) {
            this.address = address;
            this.ended = ended;
        }

        @Override
        public synchronized ZooKeeper client() {
            ZooKeeper client = current;
            if (client == null || (client.getState() == ZooKeeper.States.CLOSED && !closed.get())) {
                disconnected = false;
                client = open(this::event);
                current = client;
            }
            return client;
        }

        @Override
        public synchronized ZooKeeper anyClient() {
            ZooKeeper main = client();
            if (!disconnected || closed.get()) {
                return main;
            }
            ZooKeeper other = spare;
            if (other == null || (spareDisconnected && System.nanoTime() - spareSince > SPARE_TRIED_NANOS)) {
                closeSpare();
                spareDisconnected = false;
                other = open(this::spareEvent);
                spare = other;
                spareSince = System.nanoTime();
            }
            return other;
        }

        private ZooKeeper open(Watcher watcher) {
            try {
                ZooKeeper client =
                        new ZooKeeper(address.servers(), (int) address.session().toMillis(), watcher);
                String credentials = address.credentials();
                if (credentials != null) {
                    client.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
                }
                return client;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void event(WatchedEvent event) {
            if (event.getType() == EventType.None) {
                synchronized (this) {
                    disconnected = event.getState() == KeeperState.Disconnected;
                    if (!disconnected) {
                        closeSpare();
                    }
                }
            }
            if (event.getState() == KeeperState.Expired && !closed.get()) {
                log.info("{}: the session has ended, another begins", address.description());
                ended.run();
            }
        }

        /** In a thread of its own: the client waits for an answer that may never come. */
        @Override
        public void close() {
            ZooKeeper client;
            synchronized (this) {
                if (!closed.compareAndSet(false, true) || current == null) {
                    return;
                }
                client = current;
                closeSpare();
            }
            Thread closing = closing(client);
            try {
                closing.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** One whose connection broke waits as well; another one is better, but not one for each command. */
        private synchronized void spareEvent(WatchedEvent event) {
            spareDisconnected = event.getState() == KeeperState.Disconnected;
        }

        private void closeSpare() {
            if (spare != null) {
                closing(spare); // after what is under way
                spare = null;
            }
        }

        private static Thread closing(ZooKeeper client) {
            Thread closing = new Thread(() -> close(client), "holdfast-zookeeper-close");
            closing.setDaemon(true);
            closing.start();
            return closing;
        }

        private static void close(ZooKeeper client) {
            try {
                client.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
