package io.holdfast.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A way to a server on which one connection can fall silent: it stays, and nothing gets through any more. */
final class SilencingProxy implements AutoCloseable {

    private final int server;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> silencing = new AtomicReference<>();

    SilencingProxy(int server) {
        this.server = server;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::listen);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The next connection over which this command is sent gets no answer to it, nor to anything else. */
    void silence(String command) {
        silencing.set("\r\n" + command + "\r\n");
    }

    private void listen() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                sockets.add(client);
                Socket there = new Socket(InetAddress.getLoopbackAddress(), server);
                sockets.add(there);
                AtomicBoolean silent = new AtomicBoolean();
                start(() -> forward(client, there, silent, true));
                start(() -> forward(there, client, silent, false));
            } catch (IOException e) {
                // It was closed, or the server is away.
            }
        }
    }

    private void forward(Socket from, Socket to, AtomicBoolean silent, boolean commands) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (commands && isToBeSilenced(new String(bytes, 0, read, StandardCharsets.ISO_8859_1))) {
                    silent.set(true);
                }
                if (!silent.get()) {
                    out.write(bytes, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side has ended it.
        }
    }

    private boolean isToBeSilenced(String sent) {
        String command = silencing.get();
        return command != null && sent.contains(command) && silencing.compareAndSet(command, null);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "silencing-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
