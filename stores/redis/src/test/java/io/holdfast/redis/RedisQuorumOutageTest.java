package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Guarantee;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.StoreUnavailableException;
import io.holdfast.tck.WorkerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Five Redis servers, some of which go away,")
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
class RedisQuorumOutageTest {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** For a lock that must be renewed in time by a bare majority, however busy the machine is. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(8);

    private static final Duration SOON = Duration.ofSeconds(15);

    private RedisServers servers;

    @TempDir
    private Path directory;

    @BeforeEach
    void startServers() {
        servers = RedisServers.start(5);
    }

    @AfterEach
    void stopServers() {
        servers.close();
    }

    private Holdfast client(Duration lease) {
        return Holdfast.builder()
                .uri(servers.uri())
                .lease(lease)
                .timeout(Duration.ofSeconds(6)) // it has a third of that for an answer
                .build();
    }

    private static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("until %s", what).isLessThan(end);
            Thread.sleep(20);
        }
    }

    @Test
    @DisplayName("keep a lock that is held while any two of them are killed or stand still, and grant others")
    void outlivesAMinority() throws Exception {
        try (Holdfast client = client(LONG_LEASE);
                Holdfast other = client(LONG_LEASE)) {
            assertThat(client.guarantee()).isEqualTo(Guarantee.REPLICATED);
            Lease lease = client.lock("held").acquire();
            servers.get(0).kill();
            servers.get(3).pause();
            long end =
                    System.nanoTime() + LONG_LEASE.multipliedBy(5).dividedBy(4).toNanos();
            long token = lease.token();
            while (System.nanoTime() - end < 0) {
                assertThat(lease.isValid()).isTrue();
                assertThat(other.lock("held").tryLock()).isFalse();
                for (DistributedLock free : List.of(
                        other.lock("free"),
                        other.fairLock("fair"),
                        other.readWriteLock("shared").readLock())) {
                    free.lock();
                    free.unlock();
                }
            }
            lease.close();
            DistributedLock next = other.lock("held");
            next.lock();
            assertThat(next.lease().token()).isGreaterThan(token);
            next.unlock();
            servers.get(3).resume();
        }
    }

    @Test
    @DisplayName("refuse everything in bounded time when three are killed, tell holders, and go on when they are back")
    void refusesWithoutAMajority() throws Exception {
        try (Holdfast client = client(LEASE)) {
            DistributedLock lock = client.lock("lock");
            Lease lease = client.lock("held").acquire();
            for (int i = 0; i < 3; i++) {
                servers.get(i).kill();
            }
            long start = System.nanoTime();
            assertThatThrownBy(lock::lock)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("only 2 of 5 nodes answered");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
            until("the holder is told", () -> !lease.isValid());
            servers.get(0).startAgain();
            until("it is granted again", lock::tryLock);
            lock.unlock();
        }
    }

    @Test
    @DisplayName(
            "lose a lock that is held by one process at a time to nobody while they are killed, stopped and restarted")
    void excludesBetweenProcesses() throws Exception {
        int processes = 3;
        int threads = 2;
        int rounds = 40;
        Path file = directory.resolve("counter");
        Files.writeString(file, "0".repeat(20));
        String command = "count lock " + file + " " + threads + " " + rounds;
        List<WorkerProcess> counters = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                counters.add(WorkerProcess.start(servers.uri(), LEASE));
            }
            for (WorkerProcess counter : counters) {
                counter.expect("ready");
            }
            int times = 0;
            long next = System.nanoTime();
            int troubles = 0;
            while (troubles < 4) {
                for (WorkerProcess counter : counters) {
                    counter.tell(command);
                }
                times++;
                if (System.nanoTime() - next >= 0) {
                    trouble(troubles++);
                    // As long as no more than a minority is away or has come back empty, nothing may be lost.
                    next = System.nanoTime() + LEASE.plusMillis(500).toNanos();
                }
                for (WorkerProcess counter : counters) {
                    counter.expect("counted");
                }
            }
            assertThat(Files.readString(file))
                    .isEqualTo("%010d"
                            .formatted(times * processes * threads * rounds)
                            .repeat(2));
        } finally {
            for (WorkerProcess counter : counters) {
                counter.close();
            }
        }
    }

    /** One is killed and comes back empty after a lease, and one stands still meanwhile. */
    private void trouble(int number) throws Exception {
        RedisServerProcess killed = servers.get(number % 5);
        RedisServerProcess stopped = servers.get((number + 2) % 5);
        killed.kill();
        stopped.pause();
        Thread.sleep(LEASE.dividedBy(2).toMillis());
        stopped.resume();
        Thread.sleep(LEASE.dividedBy(2).toMillis());
        killed.startAgain();
    }
}
