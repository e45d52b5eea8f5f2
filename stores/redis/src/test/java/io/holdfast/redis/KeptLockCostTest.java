package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a lock costs while it is kept. Each test has a server of its own, so others may run beside it. */
@DisplayName("Over time, the commands that reach Redis")
@Timeout(60)
class KeptLockCostTest {

    /** Long enough to be kept on a busy machine. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private RedisServerProcess server;
    private Holdfast holdfast;
    private RedisClient plainClient;
    private RedisCommands<String, String> plain;

    @BeforeEach
    void start() {
        server = RedisServerProcess.start();
        plainClient = RedisClient.create(server.uri());
        plain = plainClient.connect().sync();
        holdfast = Holdfast.builder().uri(server.uri()).lease(LEASE).build();
        DistributedLock first = holdfast.lock("warm-up"); // connects, and loads the scripts
        first.lock();
        first.unlock();
    }

    @AfterEach
    void stop() {
        holdfast.close();
        plainClient.shutdown();
        server.close();
    }

    @Test
    @DisplayName("an idle client sends nothing")
    void idle() throws InterruptedException {
        plain.configResetstat();
        Thread.sleep(1_500); // there is no condition to wait for: nothing is to happen
        assertThat(sent()).isEmpty();
    }

    @Test
    @DisplayName("a held lock is renewed as often when fresh as after 1,000 locks and unlocks")
    void renewals() throws InterruptedException {
        DistributedLock lock = holdfast.lock("held");
        lock.lock();
        long fresh = renewalsIn(LEASE.multipliedBy(2));
        lock.unlock();
        for (int i = 0; i < 1_000; i++) {
            lock.lock();
            lock.unlock();
        }
        lock.lock();
        long used = renewalsIn(LEASE.multipliedBy(2));
        lock.unlock();
        // Every third of a lease, so 6 or so; a machine that is slow makes them fewer, and a leak makes them many more.
        assertThat(fresh).isBetween(2L, 8L);
        assertThat(used).isBetween(2L, 8L);
    }

    private long renewalsIn(Duration time) throws InterruptedException {
        plain.configResetstat();
        Thread.sleep(time.toMillis());
        return sent().getOrDefault("evalsha", 0L);
    }

    /** The commands that came from a connection, not from a script, and not from this test. */
    private Map<String, Long> sent() {
        Map<String, Long> calls = new TreeMap<>();
        for (String line : plain.info("commandstats").split("\r?\n")) {
            if (line.startsWith("cmdstat_")) {
                String command = line.substring("cmdstat_".length(), line.indexOf(':'));
                long count = Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(',')));
                calls.put(command, count);
            }
        }
        calls.keySet().removeIf(command -> command.startsWith("config") || command.equals("info") || inScript(command));
        return calls;
    }

    private static boolean inScript(String command) {
        return switch (command) {
            case "exists",
                    "pttl",
                    "type",
                    "get",
                    "set",
                    "hset",
                    "hget",
                    "hdel",
                    "hexists",
                    "pexpire",
                    "time",
                    "publish" -> true;
            default -> false;
        };
    }
}
