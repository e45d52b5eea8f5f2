package io.holdfast.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why no server can be connected to, for messages: ZooKeeper's client writes the reason to its log and fails commands
 * without it. The servers are tried at most once a second, however many commands fail.
 */
final class Probe {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PATIENCE_MILLIS = 200;

    private final List<InetSocketAddress> servers = new ArrayList<>();
    private @Nullable CompletableFuture<@Nullable IOException> last;
    private long askedAt;

    /** @param servers {@code host:port,host:port} */
    Probe(String servers) {
        for (String server : servers.split(",", -1)) {
            int colon = server.lastIndexOf(':');
            this.servers.add(InetSocketAddress.createUnresolved(
                    server.substring(0, colon), Integer.parseInt(server.substring(colon + 1))));
        }
    }

    /** Why the last server that was tried can't be connected to; {@code null} if one can. */
    synchronized CompletableFuture<@Nullable IOException> reason() {
        CompletableFuture<@Nullable IOException> known = last;
        long now = System.nanoTime();
        if (known != null && now - askedAt < FRESH_NANOS) {
            return known;
        }
        CompletableFuture<@Nullable IOException> asked = new CompletableFuture<>();
        last = asked;
        askedAt = now;
        Thread thread = new Thread(() -> asked.complete(tryAll()), "holdfast-zookeeper-probe");
        thread.setDaemon(true);
        thread.start();
        return asked;
    }

    private @Nullable IOException tryAll() {
        IOException reason = null;
        for (InetSocketAddress server : servers) {
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(server.getHostString(), server.getPort()),
                        PATIENCE_MILLIS / servers.size() + 1);
                return null;
            } catch (IOException e) {
                reason = e;
            }
        }
        return reason;
    }
}
