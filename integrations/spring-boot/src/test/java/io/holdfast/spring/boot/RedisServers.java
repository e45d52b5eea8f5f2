package io.holdfast.spring.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisServer;

/** One Redis server for all tests of a JVM. */
final class RedisServers {

    static final String PASSWORD = "correct horse";

    private static final RedisServer OPEN = start("");
    private static final RedisServer CLOSED = start(PASSWORD);

    private RedisServers() {}

    static int port() {
        return OPEN.ports().get(0);
    }

    /** Of a server with a password. */
    static int portWithPassword() {
        return CLOSED.ports().get(0);
    }

    private static RedisServer start(String password) {
        try {
            var builder = RedisServer.builder()
                    .port(freePort())
                    .setting("bind 127.0.0.1")
                    .setting("save \"\"");
            if (!password.isEmpty()) {
                builder.setting("requirepass \"" + password + "\"");
            }
            RedisServer server = builder.build();
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
