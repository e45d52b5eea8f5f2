package io.holdfast.zookeeper;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;

/** Servers for tests, which listen on 127.0.0.1 alone; a test server of Curator listens on every interface by default. */
final class Loopback {

    private static final String ADDRESS = "127.0.0.1";

    private static final int DEFAULT = -1;

    private Loopback() {}

    static InstanceSpec server() {
        return server(DEFAULT, DEFAULT);
    }

    static InstanceSpec serverWithTick(int millis) {
        return server(millis, DEFAULT);
    }

    static InstanceSpec serverForConnections(int most) {
        return server(DEFAULT, most);
    }

    static InstanceSpec[] servers(int number) {
        return Stream.generate(Loopback::server).limit(number).toArray(InstanceSpec[]::new);
    }

    private static InstanceSpec server(int tickMillis, int mostConnections) {
        Map<String, Object> properties = Map.of("clientPortAddress", ADDRESS);
        return new InstanceSpec(
                null, DEFAULT, DEFAULT, DEFAULT, true, DEFAULT, tickMillis, mostConnections, properties, ADDRESS);
    }
}
