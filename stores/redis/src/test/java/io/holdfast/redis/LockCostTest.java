package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What locking costs the server, as the server itself counts it. */
@DisplayName("The commands that reach Redis")
@Timeout(60)
@Isolated("counts commands")
class LockCostTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

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
    @DisplayName("lock and unlock without contention are two script calls and nothing else")
    void uncontended() {
        Holdfast patient = Holdfast.connect(server.uri()); // no renewal falls into the count
        DistributedLock lock = patient.lock("plain");
        lock.lock();
        lock.unlock();
        plain.configResetstat();
        for (int i = 0; i < 100; i++) {
            lock.lock();
            lock.unlock();
        }
        assertThat(sent()).containsOnly(Map.entry("evalsha", 200L));
        patient.close();
    }

    @Test
    @DisplayName("a re-entry is none, however often; the count that is shown follows at most ten times a second")
    void reentry() {
        try (Holdfast patient = Holdfast.connect(server.uri())) {
            DistributedLock lock = patient.lock("nested");
            lock.lock();
            plain.configResetstat();
            long begin = System.nanoTime();
            for (int i = 0; i < 100_000; i++) {
                lock.lock();
                lock.unlock();
            }
            long tenths = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 100;
            assertThat(sent().getOrDefault("evalsha", 0L)).isLessThanOrEqualTo(tenths + 1);
            lock.unlock();
        }
    }

    @Test
    @DisplayName("a lock that lingers is one script call, however often it is taken, and one more when it is given up")
    void linger() throws InterruptedException {
        try (Holdfast patient = Holdfast.connect(server.uri())) {
            LockOptions lingering = LockOptions.defaults().linger(Duration.ofSeconds(2));
            takeUpOften(patient.lock("first", lingering)); // connects, and hears from now on who asks
            plain.configResetstat();
            takeUpOften(patient.lock("second", lingering));
            assertThat(sent()).containsOnly(Map.entry("evalsha", 2L));
        }
    }

    private void takeUpOften(DistributedLock lock) throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            lock.lock();
            lock.unlock();
        }
        while (plain.exists(lock.getName()) > 0) {
            Thread.sleep(5);
        }
    }

    @Test
    @DisplayName("a pair of lock and unlock allocates a bounded number of bytes in all threads together")
    void allocation() {
        try (Holdfast patient = Holdfast.connect(server.uri())) {
            DistributedLock lock = patient.lock("allocating");
            int pairs = 2_000;
            double least = Double.MAX_VALUE;
            // The least of several stretches: what a compiler or a test does in between is not the lock's.
            for (int stretch = 0; stretch < 5; stretch++) {
                long before = allocated();
                for (int i = 0; i < pairs; i++) {
                    lock.lock();
                    lock.unlock();
                }
                least = Math.min(least, (allocated() - before) / (double) pairs);
            }
            assertThat(least).isLessThanOrEqualTo(10_000);
        }
    }

    /** Bytes that the threads that are alive have allocated. */
    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    @Test
    @DisplayName("the stored hold count follows re-entry without being waited for")
    void holdCount() throws InterruptedException {
        DistributedLock lock = holdfast.lock("counted");
        lock.lock();
        lock.lock();
        lock.lock();
        untilCount("counted", "3");
        lock.unlock();
        untilCount("counted", "2");
        lock.unlock();
        lock.unlock();
        assertThat(plain.exists("counted")).isZero();
    }

    @Test
    @DisplayName("a fair lock that passes between clients costs at most 4 script calls, with 20 who wait in 4 clients")
    void fairHandOff() throws Exception {
        int clients = 4;
        int threads = 5;
        int rounds = 20;
        List<Holdfast> all = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(clients * threads);
        try {
            for (int i = 0; i < clients; i++) {
                all.add(Holdfast.connect(server.uri()));
            }
            DistributedLock first = holdfast.fairLock("fair");
            first.lock();
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < clients * threads; i++) {
                DistributedLock lock = all.get(i % clients).fairLock("fair");
                done.add(pool.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        lock.lock();
                        lock.unlock();
                    }
                }));
            }
            while (holdfast.inspect("fair").waiters().size() < clients * threads) {
                Thread.sleep(5);
            }
            plain.configResetstat();
            first.unlock();
            for (Future<?> one : done) {
                one.get();
            }
            // One that asks and waits, one that is called and gets it, one that gives it back; and places are renewed.
            assertThat(sent().get("evalsha")).isLessThanOrEqualTo(4L * clients * threads * rounds);
            assertThat(sent()).doesNotContainKey("eval");
        } finally {
            pool.shutdownNow();
            all.forEach(Holdfast::close);
        }
    }

    private void untilCount(String name, String count) throws InterruptedException {
        while (!plain.hvals(name).contains(count)) {
            Thread.sleep(5);
        }
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
