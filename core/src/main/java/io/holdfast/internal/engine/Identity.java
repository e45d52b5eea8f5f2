package io.holdfast.internal.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The identity of this client, as its claims show it.
 *
 * @param id its uuid
 * @param name what it was called, or the uuid
 * @param host where it runs
 * @param process its process id
 */
public record Identity(String id, String name, String host, long process) {

    static Identity ofThisProcess(String id, String name) {
        return new Identity(id, name, hostName(), ProcessHandle.current().pid());
    }

    private static String hostName() {
        String fromEnvironment = System.getenv("HOSTNAME");
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return fromEnvironment;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
