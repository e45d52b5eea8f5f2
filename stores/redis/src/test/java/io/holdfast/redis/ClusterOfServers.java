package io.holdfast.redis;

import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster of three masters with a replica each or several, and others that have joined. */
final class ClusterOfServers extends Deployed {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;

    private final Duration down;
    private final List<String> options;
    private final int replicas;
    private final List<RedisServerProcess> nodes = new ArrayList<>();
    private final Map<RedisServerProcess, Integer> buses = new HashMap<>();

    /** With nodes that do not take each other for down because the machine is busy. */
    ClusterOfServers() {
        this(Duration.ofSeconds(5));
    }

    /** @param down how long a node is silent before it is taken for down */
    ClusterOfServers(Duration down) {
        this(down, List.of());
    }

    /** @param options of each node, besides those that all have */
    ClusterOfServers(Duration down, List<String> options) {
        this(down, options, 1);
    }

    /** @param replicas of each master */
    ClusterOfServers(Duration down, List<String> options, int replicas) {
        this.down = down;
        this.options = options;
        this.replicas = replicas;
        for (int i = 0; i < (1 + replicas) * MASTERS; i++) {
            newNode();
        }
        for (int i = 0; i < MASTERS; i++) {
            RedisServerProcess master = nodes.get(i);
            call(master, "CLUSTER", "SET-CONFIG-EPOCH", i + 1);
            call(master, "CLUSTER", "ADDSLOTSRANGE", i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS - 1);
        }
        meet(nodes);
        for (int i = 0; i < replicas * MASTERS; i++) {
            String id = on(nodes.get(i % MASTERS), redis -> redis.clusterMyId());
            RedisServerProcess replica = nodes.get(MASTERS + i);
            await("replicates", () -> {
                try {
                    call(replica, "CLUSTER", "REPLICATE", id);
                    return true;
                } catch (RuntimeException notYetKnown) {
                    return false;
                }
            });
        }
        await("the cluster is complete", this::isWhole);
    }

    private RedisServerProcess newNode() {
        int bus = RedisServerProcess.freePort();
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                String.valueOf(bus),
                "--cluster-config-file",
                "nodes-" + bus + ".conf",
                "--cluster-node-timeout",
                String.valueOf(down.toMillis()),
                "--cluster-require-full-coverage",
                "no"));
        RedisServerProcess node = newServer(all.toArray(String[]::new));
        node.startAgain();
        buses.put(node, bus);
        nodes.add(node);
        return node;
    }

    /** Has them meet the first, and all know all. */
    private void meet(List<RedisServerProcess> newcomers) {
        RedisServerProcess first = nodes.get(0);
        for (RedisServerProcess node : newcomers) {
            call(node, "CLUSTER", "MEET", "127.0.0.1", first.port(), buses.get(first));
        }
        await(
                "all have met",
                () -> nodes.stream()
                        .allMatch(node -> on(node, redis -> redis.clusterNodes())
                                        .lines()
                                        .filter(line -> !line.contains("handshake"))
                                        .count()
                                == nodes.size()));
    }

    /** A further master, without slots and replicas. */
    RedisServerProcess join() {
        RedisServerProcess node = newNode();
        meet(List.of(node));
        await("it takes part", () -> on(node, redis -> redis.clusterInfo()).contains("cluster_state:ok"));
        return node;
    }

    @Override
    void prefer(RedisServerProcess replica, List<RedisServerProcess> replicas) {
        replicas.forEach(each ->
                on(each, redis -> redis.configSet("cluster-replica-no-failover", each == replica ? "no" : "yes")));
    }

    @Override
    boolean isWhole() {
        try {
            for (RedisServerProcess node : nodes) {
                String seen = on(node, redis -> redis.clusterNodes());
                String info = on(node, redis -> redis.clusterInfo());
                boolean complete = info.contains("cluster_state:ok")
                        && info.contains("cluster_slots_ok:" + SLOTS)
                        && seen.lines().filter(line -> line.contains("slave")).count() == replicas * MASTERS
                        && seen.lines().noneMatch(line -> line.matches(".*[ ,]fail.*"));
                if (!complete
                        || (!isMaster(node)
                                && !on(node, redis -> redis.info("replication")).contains("master_link_status:up"))) {
                    return false;
                }
            }
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Override
    String uri() {
        return "redis-cluster://" + ReplicatedServers.addresses(nodes);
    }

    List<RedisServerProcess> nodes() {
        return nodes;
    }

    @Override
    RedisServerProcess masterOf(String name) {
        int slot = Keys.slot(name);
        for (RedisServerProcess asked : nodes) {
            if (!asked.isRunning()) {
                continue;
            }
            try {
                ClusterView.Shard shard = ClusterView.parse(on(asked, redis -> redis.clusterNodes()), "127.0.0.1")
                        .slots()
                        .get(slot);
                if (shard != null) {
                    return at(shard.master().port());
                }
            } catch (RedisException away) {
                // then the next
            }
        }
        throw new IllegalStateException("nobody keeps " + name);
    }

    @Override
    List<RedisServerProcess> replicasOf(RedisServerProcess master) {
        String id = on(master, redis -> redis.clusterMyId());
        return on(master, redis -> redis.clusterNodes())
                .lines()
                .filter(line -> line.contains("slave " + id))
                .map(line ->
                        at(Integer.parseInt(line.split(" ")[1].split("@")[0].split(":")[1])))
                .toList();
    }

    private RedisServerProcess at(int port) {
        return nodes.stream().filter(node -> node.port() == port).findFirst().orElseThrow();
    }
}
