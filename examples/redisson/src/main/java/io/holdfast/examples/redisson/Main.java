package io.holdfast.examples.redisson;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import redis.embedded.RedisServer;

/**
 * Runs a program on Redisson and the same program on Holdfast, on one Redis, and prints what they saw. Without an argument it
 * starts a Redis of its own on a free port of the loopback interface; or give the URL of one, of which it uses the keys that have
 * {@code example:} in them.
 */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            compare(args[0]);
            return;
        }
        int port = freePort();
        RedisServer server = RedisServer.builder()
                .port(port)
                .setting("bind 127.0.0.1")
                .setting("save \"\"")
                .build();
        try {
            server.start();
            compare("redis://127.0.0.1:" + port);
        } finally {
            server.stop();
        }
    }

    private static void compare(String url) throws Exception {
        List<String> redisson = onRedisson(url);
        List<String> holdfast = onHoldfast(url);
        int different = 0;
        for (int i = 0; i < Math.max(redisson.size(), holdfast.size()); i++) {
            String one = i < redisson.size() ? redisson.get(i) : "";
            String other = i < holdfast.size() ? holdfast.get(i) : "";
            if (one.equals(other)) {
                System.out.println(one);
            } else {
                different++;
                System.out.printf(Locale.ROOT, "Redisson: %s%nHoldfast: %s%n", one, other);
            }
        }
        System.out.printf(Locale.ROOT, "%n%d methods, %d differences%n", holdfast.size(), different);
    }

    static List<String> onRedisson(String url) throws Exception {
        try (Program program = new OnRedisson(url)) {
            return program.run();
        }
    }

    static List<String> onHoldfast(String url) throws Exception {
        try (Program program = new OnHoldfast(url)) {
            return program.run();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
