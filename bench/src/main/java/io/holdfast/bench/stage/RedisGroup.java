package io.holdfast.bench.stage;

import io.holdfast.bench.BenchException;
import io.holdfast.bench.contestant.Store;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Redis servers of the bench's own that belong together: masters, and replicas of each. */
final class RedisGroup implements Servers {

    private static final int SLOTS = 16_384;

    /** A replica gets its first copy at once, instead of waiting for other replicas that may come. */
    private static final List<String> AT_ONCE = List.of("--repl-diskless-sync-delay", "0");

    /** Silent for so long, a node counts as dead; longer than a busy machine stops a process. */
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(15);

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Store store;
    private final Path directory;
    private final int masters;
    /** Of each master. */
    private final int replicas;

    private final RedisClient client = RedisClient.create();
    /** The masters first. */
    private final List<RedisServer> servers = new ArrayList<>();

    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();

    private RedisGroup(Store store, Path directory, int masters, int replicas) {
        this.store = store;
        this.directory = directory;
        this.masters = masters;
        this.replicas = replicas;
    }

    /**
     * A master with two replicas, or a cluster of three masters with a replica each.
     *
     * @param directory for their files, which its owner deletes
     */
    static RedisGroup start(Store store, Path directory) throws IOException, InterruptedException {
        boolean cluster = store == Store.CLUSTER;
        RedisGroup group = new RedisGroup(store, directory, cluster ? 3 : 1, cluster ? 1 : 2);
        try {
            List<Integer> ports = Stream.generate(Ports::free)
                    .limit(group.masters * (1L + group.replicas))
                    .toList();
            for (int i = 0; i < ports.size(); i++) {
                group.start(ports.get(i), cluster ? group.member(ports, i) : group.replica(ports, i));
            }
            group.awaitReady();
            return group;
        } catch (IOException | InterruptedException | RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private void start(int port, List<String> options) throws IOException, InterruptedException {
        List<String> all = Stream.of(AT_ONCE, options).flatMap(List::stream).toList();
        RedisServer server = RedisServer.start(directory, port, all);
        servers.add(server);
        connections.add(client.connect(RedisURI.create(server.url())));
    }

    /** The options of the server with that number, where the first is the master. */
    private List<String> replica(List<Integer> ports, int server) {
        return server == 0 ? List.of() : List.of("--replicaof", "127.0.0.1", String.valueOf(ports.get(0)));
    }

    /** The options of a node of a cluster. It finds in a file what the nodes would otherwise have to tell each other. */
    private List<String> member(List<Integer> ports, int self) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int node = 0; node < ports.size(); node++) {
            int port = ports.get(node);
            int shard = node % masters;
            String role = node < masters ? "master -" : "slave " + nodeId(shard);
            lines.append("%s 127.0.0.1:%d@%d %s%s 0 0 %d connected"
                    .formatted(nodeId(node), port, port + Ports.BUS, node == self ? "myself," : "", role, shard + 1));
            if (node < masters) {
                lines.append(" %d-%d".formatted(shard * SLOTS / masters, (shard + 1) * SLOTS / masters - 1));
            }
            lines.append('\n');
        }
        lines.append("vars currentEpoch %d lastVoteEpoch 0\n".formatted(masters));
        String file = "nodes-" + ports.get(self) + ".conf";
        Files.writeString(directory.resolve(file), lines);
        String timeout = String.valueOf(NODE_TIMEOUT.toMillis());
        return List.of("--cluster-enabled", "yes", "--cluster-config-file", file, "--cluster-node-timeout", timeout);
    }

    private static String nodeId(int node) {
        return "%040x".formatted(node + 1);
    }

    private void awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE;
        while (!connections.stream().allMatch(connection -> isReady(connection.sync()))) {
            if (System.nanoTime() - deadline > 0) {
                throw new BenchException(store.label() + " did not start");
            }
            Thread.sleep(50);
        }
    }

    /** Whether a master has all its replicas, a replica its master, and a node of a cluster all other nodes. */
    private boolean isReady(RedisCommands<String, String> redis) {
        String replication = redis.info("replication");
        boolean linked = replication.contains("role:master")
                ? replication
                                .lines()
                                .filter(line -> line.contains("state=online"))
                                .count()
                        == replicas
                : replication.contains("master_link_status:up");
        return linked && (store != Store.CLUSTER || redis.clusterInfo().contains("cluster_state:ok"));
    }

    @Override
    public String url() {
        return store.scheme() + "://" + servers.stream().map(RedisServer::node).collect(Collectors.joining(","));
    }

    @Override
    public ServerStats stats() {
        return connections.stream()
                .limit(masters)
                .map(master -> ServerStats.parse(master.sync().info("all")))
                .reduce(ServerStats.NONE, ServerStats::plus);
    }

    @Override
    public void close() throws InterruptedException {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        for (RedisServer server : servers) {
            server.close();
        }
    }
}
