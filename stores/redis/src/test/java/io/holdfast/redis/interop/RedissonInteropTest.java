package io.holdfast.redis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.redis.RedisServerProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
