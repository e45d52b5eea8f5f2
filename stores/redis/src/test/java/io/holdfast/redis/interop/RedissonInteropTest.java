package io.holdfast.redis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.redis.RedisServerProcess;
import io.holdfast.redis.RedisStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.StoreConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Redisson client in another process and a Holdfast client in this one, on locks of the same names. */
@Timeout(120)
class RedissonInteropTest {

    private static final StoreConfig CONFIG = new StoreConfig("holdfast-test", Duration.ofSeconds(2));

    private static RedisServerProcess server;
    private static Holdfast holdfast;
    private static RedisClient plainClient;
    private static RedisCommands<String, String> plain;
    private static Process redisson;
    private static BufferedWriter commands;
    private static BufferedReader answers;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServerProcess.start();
        holdfast = Holdfast.connect(server.uri());
        plainClient = RedisClient.create(server.uri());
        plain = plainClient.connect().sync();
        redisson = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        RedissonWorker.class.getName(),
                        server.uri())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = redisson.outputWriter();
        answers = redisson.inputReader();
        assertThat(answers.readLine()).isEqualTo("ready");
    }

    @AfterAll
    static void stop() {
        redisson.destroyForcibly();
        holdfast.close();
        plainClient.shutdown();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "orders:{42}:row", "odd{}name", "}{"})
    @DisplayName("what Redisson holds, Holdfast does not get, and the other way round")
    void exclude(String name) throws Exception {
        DistributedLock lock = holdfast.lock(name);

        ask("lock " + name);
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.isLocked()).isTrue();
        ask("unlock " + name);
        assertThat(lock.isLocked()).isFalse();

        lock.lock();
        assertThat(askFor("try " + name)).isEqualTo("busy");
        lock.lock();
        lock.unlock();
        assertThat(askFor("try " + name)).isEqualTo("busy");
        lock.unlock();
        assertThat(askFor("try " + name)).isEqualTo("got");
        assertThat(lock.tryLock()).isFalse();
        ask("unlock " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "shared:{tag}"})
    @DisplayName("Redisson's lock sees readers, also when one of several has gone, and is woken by the last")
    void readers(String name) throws Exception {
        try (RedisStore store = RedisStore.open(server.uri(), CONFIG)) {
            Claim first = claim(name, 1, Mode.SHARED, QueuePolicy.BARGES);
            Claim second = claim(name, 2, Mode.SHARED, QueuePolicy.BARGES);
            assertThat(done(store.claim(first))).isInstanceOf(ClaimResult.Granted.class);
            assertThat(done(store.claim(second))).isInstanceOf(ClaimResult.Granted.class);
            assertThat(askFor("try " + name)).isEqualTo("busy");
            done(store.release(first));
            assertThat(askFor("try " + name)).isEqualTo("busy");
            long begin = System.nanoTime();
            tell("lock " + name);
            untilWatched(name, 1);
            done(store.release(second));
            assertThat(answers.readLine()).isEqualTo("done");
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
                    .isLessThan(9);
            assertThat(done(store.claim(claim(name, 3, Mode.SHARED, QueuePolicy.BARGES))))
                    .isInstanceOf(ClaimResult.Busy.class);
            ask("unlock " + name);
        }
    }

    @Test
    @DisplayName("Redisson's lock sees who was granted from the queue, and those who wait see Redisson's")
    void fair() throws Exception {
        String name = "fair";
        try (RedisStore store = RedisStore.open(server.uri(), CONFIG)) {
            ask("lock " + name);
            Claim first = claim(name, 1, Mode.EXCLUSIVE, QueuePolicy.QUEUES);
            Claim second = claim(name, 2, Mode.SHARED, QueuePolicy.QUEUES);
            assertThat(done(store.claim(first))).isInstanceOf(ClaimResult.Busy.class);
            assertThat(done(store.claim(second))).isInstanceOf(ClaimResult.Busy.class);
            assertThat(done(store.renew(List.of(first, second))).values()).containsOnly(ClaimStatus.WAITING);
            ask("unlock " + name);
            assertThat(done(store.renew(List.of(first, second))))
                    .isEqualTo(Map.of(first.id(), ClaimStatus.TURN_REACHED, second.id(), ClaimStatus.WAITING));
            assertThat(done(store.claim(first))).isInstanceOf(ClaimResult.Granted.class);
            assertThat(askFor("try " + name)).isEqualTo("busy");
            done(store.release(first));
            assertThat(done(store.claim(second))).isInstanceOf(ClaimResult.Granted.class);
            assertThat(askFor("try " + name)).isEqualTo("busy");
            done(store.release(second));
            assertThat(askFor("try " + name)).isEqualTo("got");
            ask("unlock " + name);
        }
    }

    @Test
    @DisplayName("Redisson's read/write lock of that name is busy for every mode")
    void readWrite() throws Exception {
        try (RedisStore store = RedisStore.open(server.uri(), CONFIG)) {
            for (String mode : List.of("read", "write")) {
                ask(mode + " theirs");
                for (Mode of : List.of(Mode.SHARED, Mode.EXCLUSIVE)) {
                    for (QueuePolicy policy : List.of(QueuePolicy.BARGES, QueuePolicy.GIVES_WAY)) {
                        assertThat(done(store.claim(claim("theirs", 1, of, policy))))
                                .isInstanceOf(ClaimResult.Busy.class);
                    }
                }
                ask("un" + mode + " theirs");
            }
        }
    }

    private static Claim claim(String name, int number, Mode mode, QueuePolicy policy) {
        String id = "0a0b0c0d-1111-2222-3333-444444444444:" + number;
        return new Claim(
                name, id, mode, Duration.ofSeconds(30), 1, new Owner("c", "h", 1, "t"), policy, 1, ClaimOptions.NONE);
    }

    private static <T> T done(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wake", "wake:{tag}"})
    @DisplayName("each wakes the other: twenty hand-overs are over long before anybody would have looked again")
    void wake(String name) throws Exception {
        DistributedLock lock = holdfast.lock(name);
        ask("lock " + name);
        long begin = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Void> mine = lock.lockAsync(7);
            untilWatched(name, 1);
            ask("unlock " + name); // Redisson wakes Holdfast
            mine.get(20, TimeUnit.SECONDS);

            tell("lock " + name);
            untilWatched(name, 2);
            lock.unlockAsync(7).get(20, TimeUnit.SECONDS); // Holdfast wakes Redisson, which would sleep for 30 s
            assertThat(answers.readLine()).isEqualTo("done");
        }
        ask("unlock " + name);
        // Asleep, Holdfast looks again after a second and Redisson after the lease.
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)).isLessThan(9);
    }

    @Test
    @DisplayName("a counter that is read and then written is exact with both at work")
    void count(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("counter");
        RacyFile counter = new RacyFile(file);
        DistributedLock lock = holdfast.lock("count");
        tell("count 300 " + file + " count");
        for (int i = 0; i < 300; i++) {
            lock.lock();
            try {
                counter.increment();
            } finally {
                lock.unlock();
            }
        }
        assertThat(answers.readLine()).isEqualTo("done");
        assertThat(counter.read()).isEqualTo(600);
    }

    @Test
    @DisplayName("Holdfast shows who of Redisson's holds a lock, and can take it away")
    void inspect() throws Exception {
        ask("lock seen");
        List<Claimant> holders = holdfast.inspect("seen").holders();
        assertThat(holders).singleElement().satisfies(holder -> {
            assertThat(holder.claimId()).matches("[0-9a-f-]{36}:\\d+");
            assertThat(holder.token()).isNull();
            assertThat(holder.timeLeft().toSeconds()).isBetween(1L, 30L);
        });
        assertThat(holdfast.list("see"))
                .singleElement()
                .satisfies(state -> assertThat(state.name()).isEqualTo("seen"));
        assertThat(holdfast.forceUnlock("seen")).isTrue();
        assertThat(holdfast.lock("seen").tryLock()).isTrue();
        holdfast.lock("seen").unlock();
    }

    private static void ask(String command) throws IOException {
        assertThat(askFor(command)).isEqualTo("done");
    }

    private static String askFor(String command) throws IOException {
        tell(command);
        return answers.readLine();
    }

    private static void tell(String command) throws IOException {
        commands.write(command);
        commands.newLine();
        commands.flush();
    }

    /** Waits until that many clients wait for the lock: each of them has subscribed to its channel. */
    private static void untilWatched(String name, int clients) throws Exception {
        String channel =
                name.contains("{") ? "redisson_lock__channel:" + name : "redisson_lock__channel:{" + name + "}";
        while (plain.pubsubNumsub(channel).get(channel) < clients) {
            Thread.sleep(2);
        }
    }
}
