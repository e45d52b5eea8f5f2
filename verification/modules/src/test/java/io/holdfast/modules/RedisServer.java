package io.holdfast.modules;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import redis.embedded.RedisExecProvider;

/** A Redis on a free port of the loopback interface. */
final class RedisServer implements AutoCloseable {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final int port;
    private final Process process;

    private RedisServer(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    static RedisServer start() throws IOException, InterruptedException {
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
                        "")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        RedisServer server = new RedisServer(port, process);
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!server.isUp()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                server.close();
                throw new IllegalStateException("Redis does not start");
            }
            Thread.sleep(10);
        }
        return server;
    }

    String address() {
        return "127.0.0.1:" + port;
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
    public void close() {
        process.destroyForcibly();
    }
}
