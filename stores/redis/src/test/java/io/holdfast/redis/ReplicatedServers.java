package io.holdfast.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A master and its replicas, with nobody who fails over. */
class ReplicatedServers extends Deployed {

    final RedisServerProcess first;
    private final List<RedisServerProcess> nodes = new ArrayList<>();

    ReplicatedServers(int replicas, String... options) {
        first = newServer(options);
        first.startAgain();
        nodes.add(first);
        for (int i = 0; i < replicas; i++) {
            RedisServerProcess replica = newServer(options);
            replica.startAgain();
            call(replica, "REPLICAOF", "127.0.0.1", first.port());
            nodes.add(replica);
        }
        await("replicas in sync", () -> replicasOf(first).stream().allMatch(replica -> isInSync(first, replica)));
    }

    @Override
    String uri() {
        return "redis-replica://" + addresses(nodes) + "/0";
    }

    static String addresses(List<RedisServerProcess> servers) {
        return servers.stream().map(it -> it.address().toString()).collect(Collectors.joining(","));
    }

    List<RedisServerProcess> nodes() {
        return nodes;
    }

    @Override
    RedisServerProcess masterOf(String name) {
        return nodes.stream().filter(this::isMaster).findFirst().orElseThrow();
    }

    @Override
    void prefer(RedisServerProcess replica, List<RedisServerProcess> replicas) {
        replicas.forEach(each ->
                on(each, redis -> redis.configSet("replica-priority", each == replica ? "10" : "100")));
    }

    @Override
    boolean isWhole() {
        RedisServerProcess master = masterOf("");
        return replicasOf(master).stream().allMatch(replica -> isInSync(master, replica));
    }

    @Override
    List<RedisServerProcess> replicasOf(RedisServerProcess master) {
        return nodes.stream().filter(node -> node != master).toList();
    }
}
