package io.holdfast.bench.stage;

import io.holdfast.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ZooKeeperServerMain;

/** A ZooKeeper of the bench's own, on a free port of the loopback interface. It writes to disk as it does by default. */
final class ZooKeeperServer implements Servers {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    private final int port;
    private final Process process;

    private ZooKeeperServer(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /**
     * Starts it, and waits until it can be reached.
     *
     * @param directory for its data, which its owner deletes
     */
    static ZooKeeperServer start(Path directory) throws IOException, InterruptedException {
        int port = Ports.free();
        Path settings = directory.resolve("zoo.cfg");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "clientPort=" + port,
                        "clientPortAddress=127.0.0.1",
                        "dataDir=" + directory,
                        "maxClientCnxns=0",
                        "admin.enableServer=false"));
        Path log = directory.resolve("zookeeper.log");
        Process process = new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        RedisServer.UNTIL_INPUT_ENDS,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZooKeeperServerMain.class.getName(),
                        settings.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ZooKeeperServer server = new ZooKeeperServer(port, process);
        server.awaitReady(log);
        return server;
    }

    @Override
    public String url() {
        return "zookeeper://127.0.0.1:" + port;
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE;
        while (!Ports.accepts(port)) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                close();
                throw new BenchException("ZooKeeper did not start:\n" + Files.readString(log));
            }
            Thread.sleep(20);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
