package io.holdfast.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the client comes from: one of our own, with a new session whenever one has ended, or a given one. */
interface Connection {

    /** The client to send by. It need not be connected. */
    ZooKeeper client();

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

    /** Our own sessions at that address, one after the other. */
    final class Own implements Connection {

        private static final Logger log = LoggerFactory.getLogger(Own.class);
        private static final long CLOSE_MILLIS = 1_000;

        private final ZooKeeperAddress address;
        private final Runnable ended;
        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable ZooKeeper current;

        /** @param ended runs when a session has ended by itself */
        Own(ZooKeeperAddress address, Runnable ended) {
            this.address = address;
            this.ended = ended;
        }

        @Override
        public synchronized ZooKeeper client() {
            ZooKeeper client = current;
            if (client == null || (client.getState() == ZooKeeper.States.CLOSED && !closed.get())) {
                client = open();
                current = client;
            }
            return client;
        }

        private ZooKeeper open() {
            try {
                ZooKeeper client =
                        new ZooKeeper(address.servers(), (int) address.session().toMillis(), this::event);
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
            }
            Thread closing = new Thread(() -> close(client), "holdfast-zookeeper-close");
            closing.setDaemon(true);
            closing.start();
            try {
                closing.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
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
