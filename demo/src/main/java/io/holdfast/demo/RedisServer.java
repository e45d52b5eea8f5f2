package io.holdfast.demo;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.RedisExecProvider;

/** A Redis of our own, on a free port of the loopback interface, which keeps nothing and is gone with the demo. */
final class RedisServer implements AutoCloseable {

    /**
     * Turns into Redis, and leaves a watcher beside it that ends it when our end of the pipe closes, be it by kill -9.
     * A closed standard input means nothing to Redis itself.
     */
    private static final String RUN_UNTIL_INPUT_ENDS =
            "exec 3<&0; (read -r end <&3; kill $$) >/dev/null 2>&1 & exec 3<&-; exec \"$@\" </dev/null";

    private final Path directory;
    private final int port;
    private final Process process;

    private RedisServer(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    static RedisServer start(Cleanup cleanup) throws IOException, InterruptedException {
        File executable;
        try {
            executable = RedisExecProvider.defaultProvider().get();
        } catch (RuntimeException e) {
            throw new DemoException("there is no embedded Redis for this system; give your own one with --url", e);
        }
        Path directory = Files.createTempDirectory("holdfast-demo");
        int port = freePort();
        List<String> redis = List.of(
                executable.getAbsolutePath(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString());
        List<String> command = Stream.concat(Stream.of("sh", "-c", RUN_UNTIL_INPUT_ENDS, "sh"), redis.stream())
                .toList();
        File log = directory.resolve("redis.log").toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        RedisServer server = new RedisServer(directory, port, process);
        cleanup.add(server);
        server.awaitReady(log.toPath());
        return server;
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw new DemoException("the embedded Redis did not start:\n" + Files.readString(log), e);
                }
                Thread.sleep(20);
            }
        }
    }

    /** Free now; nothing keeps another process from taking it before Redis does, but that is not likely. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
