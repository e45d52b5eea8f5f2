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

        private final ZooKeeperAddress address;
        private final Runnable ended;
        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable Link main;
        private @Nullable Link spare;

        /** @param ended runs when a session has ended by itself */
        Own(ZooKeeperAddress address, Runnable ended) {
            this.address = address;
            this.ended = ended;
        }

        @Override
        public ZooKeeper client() {
            return main().client;
        }

        private synchronized Link main() {
            Link link = main;
            if (link == null || (link.client.getState() == ZooKeeper.States.CLOSED && !closed.get())) {
                link = new Link(Link.MAIN_PATIENCE_NANOS, this::event);
                main = link;
            }
            return link;
        }

        @Override
        public synchronized ZooKeeper anyClient() {
            Link first = main();
            if (!first.isHopeless() || closed.get()) {
                return first.client;
            }
            Link other = spare;
            if (other == null || other.isHopeless()) {
                long patience = other == null ? Link.SPARE_PATIENCE_NANOS : other.nextPatience();
                closeSpare();
                other = new Link(patience, event -> {});
                spare = other;
            }
            return other.client;
        }

        private void event(WatchedEvent event) {
            if (event.getState() == KeeperState.SyncConnected) {
                synchronized (this) {
                    closeSpare();
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
            Link link;
            synchronized (this) {
                link = main;
                if (!closed.compareAndSet(false, true) || link == null) {
                    return;
                }
                closeSpare();
            }
            Thread closing = link.close();
            try {
                closing.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void closeSpare() {
            if (spare != null) {
                spare.close(); // after what is under way
                spare = null;
            }
        }

        /**
         * A client, and whether it gets through. One that does not waits for a while before it tries again, and one that
         * never did does not even say so; then another one is better, but not one for each command.
         */
        private final class Link implements Watcher {

            static final long MAIN_PATIENCE_NANOS = 250_000_000;
            static final long SPARE_PATIENCE_NANOS = 50_000_000;
            private static final long LONGEST_PATIENCE_NANOS = 2_000_000_000;

            final ZooKeeper client;
            private final Watcher next;
            private final long patience;
            private final long since = System.nanoTime();

            // As the events say: the client's own state is still "connected" while it waits to connect again.
            private volatile boolean connected;
            private volatile boolean everConnected;

            /**
             * @param patience how long it may take to connect
             * @param next hears every event as well
             */
            Link(long patience, Watcher next) {
                this.patience = patience;
                this.next = next;
                this.client = open(this);
            }

            boolean isHopeless() {
                return !connected && System.nanoTime() - since > patience;
            }

            /** The one in its stead has more time, if this one had too little. */
            long nextPatience() {
                return everConnected ? SPARE_PATIENCE_NANOS : Math.min(2 * patience, LONGEST_PATIENCE_NANOS);
            }

            @Override
            public void process(WatchedEvent event) {
                if (event.getType() == EventType.None) {
                    switch (event.getState()) {
                        case SyncConnected -> {
                            connected = true;
                            everConnected = true;
                        }
                        case Disconnected, Expired, Closed -> connected = false;
                        default -> {} // how it was authenticated says nothing of that
                    }
                    next.process(event);
                }
            }

            Thread close() {
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
    }
}
