package io.holdfast.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * A wire to a server that can be cut, and on which nothing may come through for a while. It can refuse some of those that connect, by the
 * ports that they connect from.
 */
public final class Wire implements AutoCloseable {

    private final ServerSocket entrance;
    private final int server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger made = new AtomicInteger();
    private boolean paused;
    private boolean mute;
    private volatile IntPredicate refused = port -> false;
    private volatile boolean down;

    private Wire(int server) throws IOException {
        this.server = server;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** A wire to that port of this machine. */
    public static Wire to(int server) {
        try {
            return new Wire(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** Keeps everything from coming through, with the connections open. */
    public synchronized void pause() {
        paused = true;
    }

    /** Lets commands through, but no answers. */
    public synchronized void mute() {
        mute = true;
    }

    public synchronized void resume() {
        paused = false;
        mute = false;
        notifyAll();
    }

    /** How many connections were ever made. */
    public int made() {
        return made.get();
    }

    /** Whether a connection is open. */
    public boolean isUsed() {
        return !sockets.isEmpty();
    }

    /** Breaks the connections from these ports, and lets no new one in. */
    public void refuse(IntPredicate ports) {
        refused = ports;
        sockets.stream().filter(socket -> ports.test(socket.getPort())).forEach(Wire::close);
    }

    /** Breaks all connections; new ones can be made. */
    public void cut() {
        sockets.forEach(Wire::close);
    }

    /** Breaks all connections, and lets no new one in. */
    public void down() {
        down = true;
        cut();
    }

    public void up() {
        down = false;
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        cut();
        resume();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                if (down || refused.test(client.getPort())) {
                    client.close();
                    continue;
                }
                Socket upstream = new Socket();
                sockets.add(client);
                sockets.add(upstream);
                made.incrementAndGet();
                try {
                    client.setTcpNoDelay(true);
                    upstream.setTcpNoDelay(true);
                    upstream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server), 1_000);
                } catch (IOException e) {
                    close(client);
                    continue;
                }
                start("up", () -> pump(client, upstream, false));
                start("down", () -> pump(upstream, client, true));
            } catch (IOException e) {
                // closed, or the next one will do better
            }
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[65_536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                untilResumed(answers);
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // cut
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized void untilResumed(boolean answers) {
        while (paused || (mute && answers)) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    private static void start(String name, Runnable run) {
        Thread thread = new Thread(run, "tck-wire-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
