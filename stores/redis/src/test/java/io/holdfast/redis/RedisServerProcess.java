package io.holdfast.redis;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/**
 * A Redis server of the test's own, on a loopback port that it keeps over restarts. It keeps its data in memory only, so
 * a restart loses everything. It ends with the JVM if the test forgets it.
 */
public final class RedisServerProcess implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(20);
    private static final File BINARY = binary();

    /** Ports of servers that may be down for now, and come back. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private final int port;
    private final List<String> command;
    private Process process;
    private volatile boolean paused;

    private RedisServerProcess(int port, List<String> command) {
        this.port = port;
        this.command = command;
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param options as on the server's command line, {@code "--maxmemory", "1mb"}
     */
    public static RedisServerProcess start(String... options) {
        RedisServerProcess server = server(options);
        server.startAgain();
        return server;
    }

    /** A server that is not started yet. */
    static RedisServerProcess server(String... options) {
        int port = freePort();
        List<String> command = new ArrayList<>(List.of(
                BINARY.getPath(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--daemonize",
                "no"));
        command.addAll(List.of(options));
        return new RedisServerProcess(port, command);
    }

    /** A sentinel that is not started yet, with a configuration that it may write to. */
    static RedisServerProcess sentinel(Path folder, String... lines) {
        int port = freePort();
        Path file = folder.resolve("sentinel-" + port + ".conf");
        List<String> all = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + folder));
        all.addAll(List.of(lines));
        try {
            Files.write(file, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RedisServerProcess(port, List.of(BINARY.getPath(), file.toString(), "--sentinel"));
    }

    public int port() {
        return port;
    }

    Address address() {
        return new Address("127.0.0.1", port);
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether it is alive and does not stand still. */
    boolean isRunning() {
        return isAlive() && !paused;
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Starts it again on its port after {@link #kill} or {@link #stop}. */
    public synchronized void startAgain() {
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            paused = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long end = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (!process.isAlive()) {
                throw new IllegalStateException("redis-server ended with " + process.exitValue());
            }
            if (System.nanoTime() > end) {
                kill();
                throw new IllegalStateException("redis-server does not answer");
            }
            pauseThread();
        }
    }

    /** Ends it in order and waits for the end. */
    public synchronized void stop() {
        end(false);
    }

    /** Ends it at once, as a crash would, and waits for the end. */
    public synchronized void kill() {
        end(true);
    }

    public void restart() {
        kill();
        startAgain();
    }

    /** Stops the process without ending it: connections stay, and nothing is answered. */
    public void pause() {
        signal("STOP");
        paused = true;
    }

    public void resume() {
        signal("CONT");
        paused = false;
    }

    void resumeIfAlive() {
        if (isAlive()) {
            resume();
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void end(boolean atOnce) {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        if (atOnce) {
            running.destroyForcibly();
        } else {
            running.destroy();
        }
        try {
            if (!running.waitFor(10, TimeUnit.SECONDS)) {
                running.destroyForcibly();
            }
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + signal + " gave " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // A server that wants a password answers too, if only to say so.
    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            socket.setSoTimeout(1_000);
            OutputStream out = socket.getOutputStream();
            out.write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            byte[] answer = in.readNBytes(5);
            String text = new String(answer, StandardCharsets.US_ASCII);
            return text.equals("+PONG") || text.equals("-NOAU");
        } catch (IOException e) {
            return false;
        }
    }

    private static void pauseThread() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while redis-server started", e);
        }
    }

    /**
     * A port that is free now, that no other server of this JVM has had, and that the system gives to no outgoing connection
     * before the server has it.
     */
    static int freePort() {
        while (true) {
            // Below the range of outgoing connections, as is the port of the cluster bus, 10,000 above.
            int port = ThreadLocalRandom.current().nextInt(12_000, 22_000);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                continue; // somebody has it
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static File binary() {
        try {
            return RedisExecProvider.defaultProvider().get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
