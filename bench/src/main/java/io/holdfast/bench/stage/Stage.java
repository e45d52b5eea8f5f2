package io.holdfast.bench.stage;

import io.holdfast.bench.BenchException;
import io.holdfast.bench.contestant.Address;
import io.holdfast.bench.contestant.Contestant;
import io.holdfast.bench.contestant.LettuceClients;
import io.holdfast.bench.contestant.Store;
import io.holdfast.bench.worker.Assignment;
import io.holdfast.bench.worker.Marks;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Where contestants appear, one at a time: the server, the pace, and a clean floor before each. */
public final class Stage implements AutoCloseable {

    private final String url;
    private final Address address;
    private final Pace pace;
    private final Path directory;
    private final Cleanup cleanup;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    /** Short, since what a lock costs in memory is measured as well. */
    private final String prefix =
            "holdfast-bench:" + UUID.randomUUID().toString().substring(0, 8) + ":";

    private int appearances;

    private Stage(String url, Pace pace, Path directory, Cleanup cleanup) {
        this.url = url;
        this.address = Address.parse(url);
        this.pace = pace;
        this.directory = directory;
        this.cleanup = cleanup;
        this.client = LettuceClients.create(address);
        try {
            this.connection = client.connect();
        } catch (RedisException e) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            throw new BenchException(
                    "can't reach Redis at " + address.host() + ":" + address.port() + ": " + why(e), e);
        }
        connection.setTimeout(Duration.ofMinutes(1));
    }

    /**
     * Connects to the server.
     *
     * @param directory for files of this run, which its owner deletes
     */
    public static Stage open(String url, Pace pace, Path directory, Cleanup cleanup) {
        return cleanup.add(new Stage(url, pace, directory, cleanup));
    }

    public Pace pace() {
        return pace;
    }

    public String url() {
        return url;
    }

    /** Part of the name of every lock that is taken from now on, and of no other key. */
    public String names() {
        return prefix + appearances + ":";
    }

    /** A file for this appearance. */
    public Path file(String name) {
        return directory.resolve(appearances + "-" + name);
    }

    /** Servers for one measurement: the stage's own Redis, or new ones where it is something else. */
    public Servers servers(Store store) throws IOException, InterruptedException {
        if (store == Store.REDIS) {
            return new OwnRedis(this);
        }
        Path its = Files.createTempDirectory(directory, store.id());
        return switch (store) {
            case POSTGRESQL -> PostgresServer.start(its);
            case ZOOKEEPER -> ZooKeeperServer.start(its);
            default -> RedisGroup.start(store, its);
        };
    }

    private record OwnRedis(Stage stage) implements Servers {

        @Override
        public String url() {
            return stage.url();
        }

        @Override
        public ServerStats stats() {
            return stage.server();
        }

        @Override
        public void close() {}
    }

    /** Starts processes of one contestant, and waits until they are ready. The crew before must be closed. */
    public Crew crew(Contestant contestant, String task, int processes, int locks, Map<String, ?> more)
            throws IOException, InterruptedException {
        return crew(Collections.nCopies(processes, contestant), task, locks, more);
    }

    /** Starts a process of each of these, and waits until they are ready. The crew before must be closed. */
    public Crew crew(List<Contestant> contestants, String task, int locks, Map<String, ?> more)
            throws IOException, InterruptedException {
        clear();
        Path file = file("marks");
        Assignment assignment = new Assignment(Map.of())
                .with(Assignment.TASK, task)
                .with(Assignment.URL, url)
                .with(Assignment.NAMES, names())
                .with(Assignment.LOCKS, locks)
                .with(Assignment.MARKS, file);
        for (Map.Entry<String, ?> entry : more.entrySet()) {
            assignment = assignment.with(entry.getKey(), entry.getValue());
        }
        Crew crew = cleanup.add(new Crew(this, Marks.map(file, locks)));
        try {
            crew.start(assignment, contestants, file("errors"));
            return crew;
        } catch (WorkerFailure e) {
            crew.close();
            throw e;
        }
    }

    void ended(Crew crew) {
        cleanup.remove(crew);
    }

    /** Deletes what the appearance before has left, and begins a new one. */
    public void clear() throws IOException {
        RedisCommands<String, String> redis = connection.sync();
        ScanArgs mine = ScanArgs.Builder.limit(1_000).match("*" + names() + "*");
        ScanCursor cursor = ScanCursor.INITIAL;
        while (!cursor.isFinished()) {
            KeyScanCursor<String> page = redis.scan(cursor, mine);
            if (!page.getKeys().isEmpty()) {
                redis.unlink(page.getKeys().toArray(String[]::new));
            }
            cursor = page;
        }
        Files.deleteIfExists(file("marks"));
        appearances++;
    }

    public ServerStats server() {
        return ServerStats.parse(connection.sync().info("all"));
    }

    public CommandTap tap() throws IOException {
        return CommandTap.open(address);
    }

    /** Waits until the tap has heard everything that was sent before. */
    public void drain(CommandTap tap) throws IOException {
        connection.sync().echo(CommandTap.mark());
        tap.countUntilMark();
    }

    @Override
    public void close() throws IOException {
        clear();
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    private static String why(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
