package io.holdfast.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/** Several servers that belong together, in a folder of their own, as they run in production. */
abstract class Deployed implements AutoCloseable {

    static final String[] FAST_REPLICATION = {
        "--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"
    };

    final List<RedisServerProcess> servers = new ArrayList<>();
    final Path folder = newFolder();
    private final RedisClient client = RedisClient.create();

    /** Where Holdfast finds it. */
    abstract String uri();

    /** The server that keeps a name, now. */
    abstract RedisServerProcess masterOf(String name);

    /** Its replicas, dead or alive. */
    abstract List<RedisServerProcess> replicasOf(RedisServerProcess master);

    /** Has it take its master's place before the others, whatever it has, if the master dies. */
    abstract void prefer(RedisServerProcess replica, List<RedisServerProcess> replicas);

    /** Writes more than fits into a connection: what follows reaches no replica that stands still, not even later. */
    final void fallBehind(RedisServerProcess master, String name) {
        String megabyte = "x".repeat(1 << 20);
        on(master, redis -> {
            for (int i = 0; i < 24; i++) {
                redis.psetex("filling:{" + name + "}", 60_000, megabyte);
            }
            return null;
        });
    }

    /** Whether it is noted at a master that it may lack something. */
    final boolean isInDoubt(RedisServerProcess master) {
        return on(
                master,
                redis -> redis.keys("holdfast:tenure*").stream()
                        .anyMatch(key -> !redis.get(key).split(" ")[5].equals("-")));
    }

    /** As in a fleet that uses no longer leases than that: a doubt then ends when it may. */
    final void noteLongestLease(RedisServerProcess master, Duration lease) {
        String millis = Long.toString(lease.toMillis());
        await(
                "a client has looked at the master",
                () -> on(master, redis -> {
                    for (String key : redis.keys("holdfast:tenure*")) {
                        String[] fields = redis.get(key).split(" ");
                        fields[2] = millis;
                        fields[3] = millis;
                        redis.set(key, String.join(" ", fields));
                    }
                    return !redis.keys("holdfast:tenure*").isEmpty();
                }));
    }

    /** As if that had been so for two minutes more. */
    final void passMinutes(RedisServerProcess master) {
        on(master, redis -> {
            for (String key : redis.keys("holdfast:tenure*")) {
                String[] fields = redis.get(key).split(" ");
                fields[6] = Long.toString(
                        Long.parseLong(fields[6]) - Duration.ofMinutes(2).toMillis());
                redis.set(key, String.join(" ", fields));
            }
            return null;
        });
    }

    /** Whether all servers are there, with one master in each place, and every replica in sync. */
    abstract boolean isWhole();

    final RedisServerProcess newServer(String... options) {
        RedisServerProcess server = RedisServerProcess.server(
                Stream.of(FAST_REPLICATION, new String[] {"--dir", folder.toString()}, options)
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
        servers.add(server);
        return server;
    }

    /** Asks a server something over a connection of its own. */
    final <T> T on(RedisServerProcess server, Function<RedisCommands<String, String>, T> question) {
        RedisURI uri = RedisURI.create("127.0.0.1", server.port());
        uri.setTimeout(Duration.ofSeconds(2));
        try (StatefulRedisConnection<String, String> connection = client.connect(uri)) {
            return question.apply(connection.sync());
        }
    }

    final List<Object> call(RedisServerProcess server, String command, Object... args) {
        return on(server, redis -> {
            CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
            for (Object arg : args) {
                all.add(String.valueOf(arg));
            }
            return redis.dispatch(keyword(command), new ArrayOutput<>(StringCodec.UTF8), all);
        });
    }

    private static ProtocolKeyword keyword(String name) {
        return new ProtocolKeyword() {
            @Override
            public byte[] getBytes() {
                return name.getBytes(StandardCharsets.US_ASCII);
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }

    final boolean isMaster(RedisServerProcess server) {
        try {
            return on(server, redis -> String.valueOf(redis.role().get(0))).equals("master");
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Whether the replica follows its master, and the master counts on it. */
    final boolean isInSync(RedisServerProcess master, RedisServerProcess replica) {
        try {
            String link = on(replica, redis -> redis.info("replication"));
            String followers = on(master, redis -> redis.info("replication"));
            return followers.contains("port=" + replica.port() + ",state=online")
                    && link.contains("master_link_status:up")
                    && link.contains("master_port:" + master.port())
                    && !link.contains("master_sync_in_progress:1");
        } catch (RuntimeException e) {
            return false;
        }
    }

    static void await(String what, BooleanSupplier condition) {
        StoreTest.await(what, Duration.ofSeconds(40), condition);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        servers.forEach(RedisServerProcess::resumeIfAlive);
        servers.forEach(RedisServerProcess::close);
        delete(folder);
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * In memory where there is such a place: a node of a cluster waits for the disk with each change of its configuration, and a
     * node that stands still for three seconds ends the tickets of all that wait.
     */
    private static Path newFolder() {
        Path memory = Path.of("/dev/shm");
        String name = "holdfast-redis-" + Long.toString(System.nanoTime(), 36).toLowerCase(Locale.ROOT);
        try {
            return Files.isWritable(memory) ? Files.createTempDirectory(memory, name) : Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
