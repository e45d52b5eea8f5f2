package io.holdfast.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Several servers that know nothing of each other. */
final class RedisServers implements AutoCloseable {

    private final List<RedisServerProcess> servers = new ArrayList<>();

    static RedisServers start(int number) {
        RedisServers all = new RedisServers();
        for (int i = 0; i < number; i++) {
            all.servers.add(RedisServerProcess.start());
        }
        return all;
    }

    String uri() {
        return "redis-quorum://"
                + servers.stream().map(server -> "127.0.0.1:" + server.port()).collect(Collectors.joining(","));
    }

    RedisServerProcess get(int index) {
        return servers.get(index);
    }

    List<RedisServerProcess> all() {
        return servers;
    }

    @Override
    public void close() {
        servers.forEach(RedisServerProcess::close);
    }
}
