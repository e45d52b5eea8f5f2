package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import redis.embedded.RedisExecProvider;

@DisplayName("The lock registry on Redis")
class RedisRegistryTest extends StoreContract {

    private static Process server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = new ProcessBuilder(
                        RedisExecProvider.defaultProvider().get().getPath(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!listens()) {
            assertThat(server.isAlive() && System.nanoTime() - end < 0)
                    .as("redis-server starts")
                    .isTrue();
            Thread.sleep(10);
        }
    }

    private static boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @AfterAll
    static void stop() {
        server.destroyForcibly();
    }

    @Override
    String uri() {
        return "redis://127.0.0.1:" + port;
    }
}
