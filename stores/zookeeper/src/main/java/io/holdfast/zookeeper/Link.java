package io.holdfast.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A client of our own, and whether it gets through. One that is not connected waits for a while before it tries again, and
 * one that never was does not even say so. One whose server stands still stays connected for two thirds of its session, and
 * whatever is sent meanwhile waits with it. In all of these cases another one is better, but not one for each command.
 */
final class Link implements ZooKeeperClient, Watcher {

    static final long MAIN_PATIENCE_NANOS = 250_000_000;
    static final long SPARE_PATIENCE_NANOS = 50_000_000;
    private static final long LONGEST_PATIENCE_NANOS = 2_000_000_000;

    private final ZooKeeper client;
    private final Route route;
    private final Watcher next;
    private final Runnable heard;
    private final long patience;
    private final long since = System.nanoTime();

    // As the events say: the client's own state is still "connected" while it waits to connect again.
    private volatile boolean connected;
    private volatile boolean everConnected;

    // Requests without an answer, and since when there has been none to any of them.
    private int unanswered;
    private long silentSince;

    /**
     * @param avoided a server that it does not go to if there is another one
     * @param patience how long it may take to connect
     * @param next hears every event of the session as well
     * @param heard runs whenever the server has answered
     */
    Link(ZooKeeperAddress address, @Nullable InetSocketAddress avoided, long patience, Watcher next, Runnable heard) {
        this.route = new Route(address.servers(), avoided);
        this.patience = patience;
        this.next = next;
        this.heard = heard;
        this.client = open(address);
    }

    private ZooKeeper open(ZooKeeperAddress address) {
        try {
            ZooKeeper made =
                    new ZooKeeper(address.servers(), (int) address.session().toMillis(), this, false, route);
            String credentials = address.credentials();
            if (credentials != null) {
                made.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
            }
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ZooKeeper zooKeeper() {
        return client;
    }

    /** The server that it is at, or was last. */
    @Nullable
    InetSocketAddress server() {
        return route.current();
    }

    /** @param silence how long an answer may take */
    boolean isHopeless(long silence) {
        return connected ? isSilent(silence) : System.nanoTime() - since > patience;
    }

    private synchronized boolean isSilent(long silence) {
        return unanswered > 0 && System.nanoTime() - silentSince > silence;
    }

    /** The one in its stead has more time, if this one had too little. */
    long nextPatience() {
        return everConnected ? SPARE_PATIENCE_NANOS : Math.min(2 * patience, LONGEST_PATIENCE_NANOS);
    }

    @Override
    public synchronized void asked() {
        if (unanswered++ == 0) {
            silentSince = System.nanoTime();
        }
    }

    @Override
    public void answered(int rc) {
        synchronized (this) {
            unanswered--;
            silentSince = System.nanoTime();
        }
        if (rc == Code.CONNECTIONLOSS.intValue()) {
            connected = false; // the event that says so comes after the commands that it has failed
        } else {
            heard.run();
        }
    }

    @Override
    public void process(WatchedEvent event) {
        if (event.getType() == Event.EventType.None) {
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

    /**
     * Closes it after what is under way. It is asked one thing more, which it answers last: a client that is told to close
     * before it has begun to connect does not connect, and what it was to send is lost.
     */
    void retire() {
        client.sync("/", (rc, path, context) -> close(), null);
    }

    /** In a thread of its own: the client waits for an answer that may never come. */
    Thread close() {
        Thread closing = new Thread(
                () -> {
                    try {
                        client.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "holdfast-zookeeper-close");
        closing.setDaemon(true);
        closing.start();
        return closing;
    }
}
