package io.holdfast.examples.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.embedded.RedisServer;

@Timeout(120)
class ExampleTest {

    @SuppressWarnings("NullAway.Init")
    private static RedisServer server;

    private static int port;

    @BeforeAll
    static void startRedis() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        server = RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
    }

    @AfterAll
    static void stopRedis() throws Exception {
        server.stop();
    }

    @Test
    @DisplayName("every method that has a counterpart says on Holdfast what it says on Redisson")
    void saysTheSame() throws Exception {
        String url = "redis://127.0.0.1:" + port;
        List<String> redisson = Main.onRedisson(url);
        assertThat(Main.onHoldfast(url)).isEqualTo(redisson).hasSizeGreaterThan(100);
        assertThat(Main.onHoldfast(url)).as("again").isEqualTo(redisson);
    }
}
