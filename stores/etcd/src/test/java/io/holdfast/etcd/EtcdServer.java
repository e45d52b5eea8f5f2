package io.holdfast.etcd;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** One process of etcd on loopback, with its data in a temporary directory. */
final class EtcdServer implements AutoCloseable {

    private static final String RESOURCE = "/etcd/etcd-linux-amd64";
    private static Optional<Path> program = Optional.empty();

    final String name;
    final int port;
    final int peerPort;
    private final Path directory;
    private Process process;

    EtcdServer(String name) {
        this.name = name;
        this.port = freePort();
        this.peerPort = freePort();
        try {
            // What is tested is not the disk: how long it takes to write must not decide whether a wait is in time.
            Path memory = Path.of("/dev/shm");
            this.directory = Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "holdfast-etcd-")
                    : Files.createTempDirectory("holdfast-etcd-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server by itself, which has begun. */
    static EtcdServer single() {
        EtcdServer server = new EtcdServer("one");
        server.start(List.of(server));
        server.awaitListening();
        return server;
    }

    /** The program, or the test is skipped; or fails, if that is asked for. */
    static synchronized Path program() {
        if (program.isEmpty()) {
            program = find();
        }
        if (program.isEmpty()) {
            String what = "NO etcd TO TEST WITH on this machine (" + System.getProperty("os.name") + ", "
                    + System.getProperty("os.arch")
                    + "): have etcd on the path, or say where one is with -Dholdfast.etcd=/usr/local/bin/etcd";
            if (Boolean.getBoolean("holdfast.etcd.required")) {
                throw new AssertionError(what);
            }
            System.err.println(what);
            Assumptions.abort(what);
        }
        return program.get();
    }

    private static Optional<Path> find() {
        String given = System.getProperty("holdfast.etcd", "");
        if (!given.isEmpty()) {
            if (!Files.isExecutable(Path.of(given))) {
                throw new AssertionError("-Dholdfast.etcd=" + given + " is no program");
            }
            return Optional.of(Path.of(given));
        }
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path path = Path.of(directory.isEmpty() ? "." : directory, "etcd");
            if (Files.isRegularFile(path) && Files.isExecutable(path)) {
                return Optional.of(path);
            }
        }
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch");
        return os.contains("linux") && (arch.equals("amd64") || arch.equals("x86_64"))
                ? Optional.of(extracted())
                : Optional.empty();
    }

    private static Path extracted() {
        try (InputStream in = EtcdServer.class.getResourceAsStream(RESOURCE)) {
            Path file = Files.createTempFile("holdfast-etcd-", "");
            Files.write(file, in.readAllBytes());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start(List<EtcdServer> cluster) {
        List<String> members = new ArrayList<>();
        cluster.forEach(one -> members.add(one.name + "=" + one.peerUrl()));
        List<String> command = List.of(
                program().toString(),
                "--name",
                name,
                "--data-dir",
                directory.resolve("data").toString(),
                "--listen-client-urls",
                url(),
                "--advertise-client-urls",
                url(),
                "--listen-peer-urls",
                peerUrl(),
                "--initial-advertise-peer-urls",
                peerUrl(),
                "--initial-cluster",
                String.join(",", members),
                "--initial-cluster-token",
                directory(cluster),
                "--heartbeat-interval",
                "50",
                "--election-timeout",
                "500");
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    private static String directory(List<EtcdServer> cluster) {
        return cluster.get(0).directory.getFileName().toString();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private String peerUrl() {
        return "http://127.0.0.1:" + peerPort;
    }

    String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    void awaitListening() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isListening()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new AssertionError("etcd does not listen: " + log());
            }
            pause();
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void signal(String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
