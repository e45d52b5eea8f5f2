package io.holdfast.zookeeper;

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

    /** The client whose session ephemeral nodes and watches belong to. It need not be connected. */
    ZooKeeperClient client();

    /**
     * A client for what belongs to no session; one that gets through if there is one.
     *
     * @param silence how long an answer may take, in nanoseconds, for a command that must not wait longer
     */
    default ZooKeeperClient anyClient(long silence) {
        return client();
    }

    /** Ends what is our own, without waiting for long. */
    void close();

    static Connection given(Supplier<ZooKeeper> client) {
        return new Connection() {
            @Override
            public ZooKeeperClient client() {
                ZooKeeper given = client.get();
                return () -> given;
            }

            @Override
            public void close() {}
        };
    }

    /**
     * Our own sessions at that address, one after the other. A client whose connection broke waits for up to two seconds
     * before it connects again, and one whose server stands still does not notice for longer than that; a lease may end
     * meanwhile. What does not need its session goes by a spare one then, to another server if there is one.
     */
    final class Own implements Connection {

        private static final Logger log = LoggerFactory.getLogger(Own.class);
        private static final long CLOSE_MILLIS = 1_000;

        private final ZooKeeperAddress address;
        private final long silence;
        private final Runnable ended;
        private final AtomicBoolean closed = new AtomicBoolean();
        private @Nullable Link main;
        private volatile @Nullable Link spare;

        /**
         * @param silence how long an answer may take, in nanoseconds, before a spare one is made
         * @param ended runs when a session has ended by itself
         */
        Own(ZooKeeperAddress address, long silence, Runnable ended) {
            this.address = address;
            this.silence = silence;
            this.ended = ended;
        }

        @Override
        public synchronized Link client() {
            Link link = main;
            if (link == null || (link.zooKeeper().getState() == ZooKeeper.States.CLOSED && !closed.get())) {
                link = new Link(address, null, Link.MAIN_PATIENCE_NANOS, this::event, this::mainAnswers);
                main = link;
            }
            return link;
        }

        @Override
        public synchronized ZooKeeperClient anyClient(long silence) {
            long atMost = Math.min(silence, this.silence);
            Link first = client();
            if (!first.isHopeless(atMost) || closed.get()) {
                return first;
            }
            Link other = spare;
            if (other == null || other.isHopeless(atMost)) {
                long patience = other == null ? Link.SPARE_PATIENCE_NANOS : other.nextPatience();
                retireSpare();
                other = new Link(address, first.server(), patience, event -> {}, () -> {});
                spare = other;
            }
            return other;
        }

        private void event(WatchedEvent event) {
            if (event.getState() == KeeperState.SyncConnected) {
                retireSpare();
            }
            if (event.getState() == KeeperState.Expired && !closed.get()) {
                log.info("{}: the session has ended, another begins", address.description());
                ended.run();
            }
        }

        /** Its server may have stood still for a while. */
        private void mainAnswers() {
            if (spare != null) {
                retireSpare();
            }
        }

        @Override
        public void close() {
            Link link;
            synchronized (this) {
                link = main;
                if (!closed.compareAndSet(false, true) || link == null) {
                    return;
                }
                Link other = spare;
                if (other != null) {
                    other.close();
                }
            }
            Thread closing = link.close();
            try {
                closing.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** What is under way on it goes on. */
        synchronized void retireSpare() {
            Link other = spare;
            if (other != null) {
                other.retire();
                spare = null;
            }
        }
    }
}
