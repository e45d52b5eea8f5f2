package io.holdfast.jdbc;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A database server of the test's own, that it can kill, pause and start again. */
abstract class DatabaseServer implements AutoCloseable {

    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final int port;

    DatabaseServer(int port) {
        this.port = port;
    }

    final int port() {
        return port;
    }

    abstract String uri();

    /** The server's process. */
    abstract long pid();

    /** Starts it again after {@link #kill}, with what it had. */
    abstract void startAgain();

    @Override
    public abstract void close();

    /** Ends it at once, as a crash would, and waits for the end of all its processes. */
    final void kill() {
        pause(); // so that it has no child that is not seen
        ProcessHandle server = ProcessHandle.of(pid()).orElseThrow();
        List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
        all.add(0, server);
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }

    /** Stops its processes without ending them: connections stay, and nothing is answered. */
    final void pause() {
        signal("STOP");
    }

    final void resume() {
        signal("CONT");
    }

    /** The server first: once it stands still, it can't have another child that would be missed. */
    private void signal(String signal) {
        ProcessHandle server = ProcessHandle.of(pid()).orElseThrow();
        signal(signal, List.of(server));
        signal(signal, server.descendants().toList());
    }

    private static void signal(String signal, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(process -> command.add(String.valueOf(process.pid())));
        try {
            // Some may be gone by now, or there are none.
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the server once more, and waits until it answers. */
    final void run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long end = System.nanoTime() + START_NANOS;
        while (!answers()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(command.get(0) + " does not start again");
            }
        }
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(uri())) {
            return connection.isValid(1);
        } catch (SQLException e) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupt);
            }
            return false;
        }
    }

    /** Runs statements with a connection of the test's own. */
    final void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(uri());
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A directory for data that need not outlive the test: in memory where there is such a place, as disks may be slow. */
    static Path temporary(String name) throws IOException {
        Path memory = Path.of("/dev/shm");
        Path directory = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "holdfast-" + name)
                : Files.createTempDirectory("holdfast-" + name);
        return directory;
    }

    static void deleteAll(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException | UncheckedIOException e) {
            return; // somebody still writes there; it is in a directory for temporary files
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
