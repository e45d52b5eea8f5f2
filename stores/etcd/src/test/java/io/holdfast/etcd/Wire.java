package io.holdfast.etcd;

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

/** A wire to a server that can be cut, and on which nothing may come through for a while. */
final class Wire implements AutoCloseable {

    private final ServerSocket entrance;
    private final int server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger made = new AtomicInteger();
    private boolean paused;
    private boolean mute;
    private volatile boolean down;

    private Wire(int server) throws IOException {
        this.server = server;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    static Wire to(int server) {
        try {
            return new Wire(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** Keeps everything from coming through, with the connections open. */
    synchronized void pause() {
        paused = true;
    }

    /** Lets commands through, but no answers. */
    synchronized void mute() {
        mute = true;
    }

    synchronized void resume() {
        paused = false;
        mute = false;
        notifyAll();
    }

    /** How many connections were ever made. */
    int made() {
        return made.get();
    }

    /** Whether a connection is open. */
    boolean isUsed() {
        return !sockets.isEmpty();
    }

    /** Breaks all connections; new ones can be made. */
    void cut() {
        sockets.forEach(Wire::close);
    }

    /** Breaks all connections, and lets no new one in. */
    void down() {
        down = true;
        cut();
    }

    void up() {
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
                if (down) {
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
