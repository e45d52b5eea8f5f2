package io.holdfast.bench.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback interface. */
final class Ports {

    /** The bus of a cluster's node is so far above its port. */
    static final int BUS = 10_000;

    /** Below the ports that the system gives to outgoing connections, the bus included. */
    private static final int FROM = 12_000;

    private static final int TO = 22_000;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** One that is free now, as is the port of its bus, and that was not given before. */
    static int free() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(FROM, TO);
        } while (!GIVEN.add(port) || !isFree(port) || !isFree(port + BUS));
        return port;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a server listens there. */
    static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
