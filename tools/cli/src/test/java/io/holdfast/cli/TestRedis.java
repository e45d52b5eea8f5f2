package io.holdfast.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/** A Redis on a free port of the loopback interface, with a password. */
final class TestRedis implements AutoCloseable {

    static final String PASSWORD = "hunter2";

    private final int port;
    private final Process process;

    private TestRedis(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    static TestRedis start(Path directory) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        RedisExecProvider.defaultProvider().get().getAbsolutePath(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--requirepass",
                        PASSWORD)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        TestRedis redis = new TestRedis(port, process);
        CliProcess.until(redis::isUp, () -> "Redis did not start");
        return redis;
    }

    String url() {
        return "redis://:" + PASSWORD + "@127.0.0.1:" + port;
    }

    /** Keeps it from answering, with its connections open. */
    void pause() throws IOException, InterruptedException {
        CliProcess.signal("STOP", process.pid());
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private boolean isUp() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
