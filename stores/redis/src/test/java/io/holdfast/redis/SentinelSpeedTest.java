package io.holdfast.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** On a machine with nothing else to do: {@code -Dholdfast.speed=true}. */
@DisplayName("Through Sentinel, with grants that wait for the replicas,")
@EnabledIfSystemProperty(named = "holdfast.speed", matches = "true")
@Isolated("measures")
class SentinelSpeedTest {

    private static final int THREADS = 64;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration RUN = Duration.ofSeconds(8);
    private static final int RUNS = 3;

    @Test
    @DisplayName("64 threads lock and unlock at least twice as often as Redisson's")
    void isTwiceAsFast() throws Exception {
        try (SentinelServers servers = new SentinelServers();
                Holdfast holdfast = Holdfast.connect(servers.uri())) {
            RedissonClient redisson = redisson(servers);
            try {
                pairs(holdfast::lock, THREADS, WARM_UP);
                pairs(redisson::getLock, THREADS, WARM_UP);
                System.out.printf(
                        "# Sentinel, lock+unlock/s, 1 thread: Holdfast %d, Redisson %d%n",
                        pairs(holdfast::lock, 1, RUN), pairs(redisson::getLock, 1, RUN));
                long ours = 0;
                long theirs = 0;
                for (int i = 0; i < RUNS; i++) {
                    ours += pairs(holdfast::lock, THREADS, RUN) / RUNS;
                    theirs += pairs(redisson::getLock, THREADS, RUN) / RUNS;
                }
                System.out.printf(
                        "# Sentinel, lock+unlock/s, %d threads, a lock each: Holdfast %d, Redisson %d%n",
                        THREADS, ours, theirs);
                assertTrue(ours >= 2 * theirs, ours + " and " + theirs);
            } finally {
                redisson.shutdown();
            }
        }
    }

    /** How many locks are taken and given back in a second, by threads that have one each. */
    private static long pairs(Function<String, Lock> locks, int number, Duration time) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        LongAdder pairs = new LongAdder();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Lock lock = locks.apply("speed:" + locks.hashCode() + ":" + i);
            Thread thread = new Thread(() -> {
                while (!enough.get()) {
                    lock.lock();
                    lock.unlock();
                    pairs.increment();
                }
            });
            threads.add(thread);
        }
        long start = System.nanoTime();
        threads.forEach(Thread::start);
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        enough.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        return pairs.sum() * 1_000_000_000L / (System.nanoTime() - start);
    }

    private static RedissonClient redisson(SentinelServers servers) {
        Config config = new Config();
        config.useSentinelServers().setMasterName(SentinelServers.MASTER);
        for (RedisServerProcess sentinel : servers.sentinels()) {
            config.useSentinelServers().addSentinelAddress("redis://" + sentinel.address());
        }
        return Redisson.create(config);
    }
}
