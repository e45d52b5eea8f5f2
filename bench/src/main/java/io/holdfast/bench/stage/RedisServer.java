package io.holdfast.bench.stage;

import io.holdfast.bench.BenchException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A Redis of the bench's own, on a free port of the loopback interface. It writes nothing to disk. */
public final class RedisServer implements AutoCloseable {

    /**
     * Becomes Redis, with a watcher beside it that ends it when the pipe from here closes: also if the bench is killed,
     * when nothing is left to call {@link #close}.
     */
    static final String UNTIL_INPUT_ENDS =
            "exec 3<&0; (read -r end <&3; kill $$) >/dev/null 2>&1 & exec 3<&-; exec \"$@\" </dev/null";

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final int port;
    private final Process process;

    private RedisServer(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    public static RedisServer start(Path directory, Cleanup cleanup) throws IOException, InterruptedException {
        return cleanup.add(start(directory, Ports.free(), List.of()));
    }

    /**
     * Starts it, and waits until it can be reached.
     *
     * @param directory for its files, which its owner deletes
     * @param options as on the command line, besides those that all have
     */
    static RedisServer start(Path directory, int port, List<String> options) throws IOException, InterruptedException {
        File executable;
        try {
            executable = RedisExecProvider.defaultProvider().get();
        } catch (RuntimeException e) {
            throw new BenchException("there is no embedded Redis for this system; give your own with --url", e);
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_INPUT_ENDS, "sh"));
        command.addAll(List.of(executable.getAbsolutePath(), "--port", Integer.toString(port), "--bind", "127.0.0.1"));
        command.addAll(List.of("--save", "", "--appendonly", "no", "--dir", directory.toString()));
        command.addAll(options);
        Path log = directory.resolve("redis-" + port + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        RedisServer server = new RedisServer(port, process);
        server.awaitReady(log);
        return server;
    }

    /** For clients: {@code host:port}. */
    String node() {
        return "127.0.0.1:" + port;
    }

    public String url() {
        return "redis://" + node();
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE;
        while (!Ports.accepts(port)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                close();
                throw new BenchException("the embedded Redis did not start:\n" + Files.readString(log));
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
