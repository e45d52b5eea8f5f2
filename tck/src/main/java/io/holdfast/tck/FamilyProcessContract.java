package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Claimant;
import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.SemaphoreStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fair and read/write locks, semaphores and latches between real processes, which die and stand still in the middle. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class FamilyProcessContract extends AcrossProcesses {

    private final String name = name();

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        onlooker = Onlooker.of(client(), name);
    }

    // ---- fair -------------------------------------------------------------------------------------------------

    @Essential
    @Test
    @DisplayName("a fair lock serves 24 who wait in three processes in the order in which they came")
    void servesInOrder() throws Exception {
        Path served = Files.createFile(directory.resolve("served"));
        List<WorkerProcess> all = workers(3, LONG);
        DistributedLock held = client().fairLock(name);
        held.lock();
        for (int i = 10; i < 34; i++) {
            queuesUp(all.get(i % 3), served, i);
        }
        held.unlock();
        for (int i = 10; i < 34; i++) {
            all.get(i % 3).expect("served " + i);
        }
        assertThat(Files.readAllLines(served))
                .containsExactlyElementsOf(
                        IntStream.range(10, 34).mapToObj(String::valueOf).toList());
        onlooker.seesNobody();
    }

    /** One more in the process waits for the fair lock. */
    private void queuesUp(WorkerProcess process, Path served, int number) throws Exception {
        int before = onlooker.sees().waiters().size();
        process.ask("turn " + name + " " + served + " " + number + " fair", "begun");
        onlooker.seesWaiting(before + 1);
    }

    @Test
    @DisplayName("five waiters of a process that was killed hold up the next one for less than 5 s together")
    void passesTheDead() throws Exception {
        Path served = Files.createFile(directory.resolve("served"));
        WorkerProcess killed = worker(Duration.ofSeconds(3));
        DistributedLock held = client().fairLock(name);
        held.lock();
        for (int i = 0; i < 5; i++) {
            queuesUp(killed, served, i);
        }
        Actor live = actor("live");
        DistributedLock lock = client().fairLock(name);
        Future<?> got = live.starts(lock::lock);
        onlooker.seesWaiting(6);
        killed.kill();
        long start = System.nanoTime();
        held.unlock();
        await(got);
        assertThat(since(start)).isLessThan(Duration.ofSeconds(5).plus(SLACK));
        live.does(lock::unlock);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("a waiter that stands still loses its place, costs the others no more than that, and comes back")
    void passesTheStopped() throws Exception {
        Path served = Files.createFile(directory.resolve("served"));
        WorkerProcess stopped = worker(LONG);
        DistributedLock held = client().fairLock(name);
        held.lock();
        queuesUp(stopped, served, 1);
        stopped.pause();
        Actor live = actor("live");
        DistributedLock lock = client().fairLock(name);
        Future<?> got = live.starts(lock::lock);
        // The stopped one is there too, if it did not stop in the middle of a command that held the other up.
        eventually(
                SOON,
                () -> assertThat(onlooker.sees().waiters())
                        .extracting(Claimant::process)
                        .contains(ProcessHandle.current().pid()));
        long start = System.nanoTime();
        held.unlock();
        await(got);
        assertThat(since(start)).isLessThan(Claim.TICKET.plus(A_BIT));
        stopped.resume();
        throughout("it waits for its turn", Duration.ofMillis(100), () -> !stopped.hasSaid("served"));
        live.does(lock::unlock);
        stopped.expect("served 1");
        onlooker.seesNobody();
    }

    // ---- read/write -------------------------------------------------------------------------------------------

    @Essential
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"plain", "fair"})
    @DisplayName("a read/write lock lets four processes count exactly, and read nothing by halves")
    void readsAndWrites(String kind) throws Exception {
        RacyFile file = RacyFile.create(directory.resolve("counter"));
        List<WorkerProcess> all = workers(4, LONG);
        for (WorkerProcess one : all) {
            one.tell("read-write " + name + " " + file.file() + " 2 20 " + kind);
        }
        for (WorkerProcess one : all) {
            assertThat(one.expect("torn")).isEqualTo("torn 0");
        }
        assertThat(file.first()).isEqualTo(4 * 2 * 20);
        assertThat(file.isWhole()).isTrue();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("a reader that was killed frees the writer by its own lease, though living ones are kept, come and go")
    void isFreedOfAKilledReader() throws Exception {
        WorkerProcess killed = worker(LEASE);
        Holdfast client = client(LEASE);
        DistributedReadWriteLock living = client.readWriteLock(name);
        killed.ask("lock " + name + " read", "granted");
        Lease kept = living.readLock().acquire();
        AtomicBoolean enough = new AtomicBoolean();
        Future<?> passing = actor("passing").starts(() -> {
            while (!enough.get()) {
                living.readLock().acquire().close();
            }
        });
        killed.kill();
        long start = System.nanoTime();
        eventually(
                SOON,
                () -> assertThat(onlooker.sees().holders())
                        .extracting(Claimant::process)
                        .doesNotContain(killed.pid()));
        assertThat(since(start)).isLessThan(LEASE.plus(A_BIT));
        enough.set(true);
        await(passing);
        kept.close();
        DistributedLock write = client.readWriteLock(name).writeLock();
        assertThat(write.tryLock()).isTrue();
        write.unlock();
    }

    @Test
    @DisplayName("a fair writer gets in within the lease of a reader that was killed, before readers that come later")
    void writesAfterAKilledReader() throws Exception {
        WorkerProcess killed = worker(LEASE);
        killed.ask("lock " + name + " read", "granted");
        LockOptions fair = LockOptions.defaults().fair();
        DistributedLock write = client().readWriteLock(name, fair).writeLock();
        Actor writer = actor("writer");
        Future<?> got = writer.starts(write::lock);
        onlooker.seesWaiting(1);
        DistributedLock read = client().readWriteLock(name, fair).readLock();
        Actor reader = actor("reader");
        Future<?> later = reader.starts(read::lock);
        onlooker.seesWaiting(2);
        killed.kill();
        long start = System.nanoTime();
        await(got);
        assertThat(since(start)).isLessThan(LEASE.plus(A_BIT));
        assertThat(later.isDone()).isFalse();
        writer.does(write::unlock);
        await(later);
        reader.does(read::unlock);
        onlooker.seesNobody();
    }

    // ---- multi-locks ------------------------------------------------------------------------------------------

    @Test
    @DisplayName("multi-locks of the same locks in opposite order exclude each other and never wait in a circle")
    void excludesWithMultiLocks() throws Exception {
        RacyFile file = RacyFile.create(directory.resolve("counter"));
        List<WorkerProcess> all = workers(2, LONG);
        all.get(0).tell("count " + name + " " + file.file() + " 2 20 multi");
        all.get(1).tell("count " + name + " " + file.file() + " 2 20 multi-reversed");
        for (WorkerProcess one : all) {
            one.expect("counted");
        }
        assertThat(file.first()).isEqualTo(2 * 2 * 20);
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName(
            "exactly one thread of one process gets a multi-lock that is free, where six ask at once and none waits")
    void oneProcessWinsAMultiLock() throws Exception {
        List<WorkerProcess> all = workers(3, LONG);
        for (int round = 0; round < 20; round++) {
            for (WorkerProcess one : all) {
                one.tell("contend " + name("contest-" + round) + " 2 "
                        + (all.indexOf(one) == 0 ? "multi" : "multi-reversed"));
            }
            int won = 0;
            for (WorkerProcess one : all) {
                won += Integer.parseInt(one.expect("won ").substring("won ".length()));
            }
            assertThat(won).as("winners of round %d", round).isEqualTo(1);
        }
    }

    // ---- semaphores -------------------------------------------------------------------------------------------

    @Essential
    @Test
    @DisplayName("a semaphore of three never lets a fourth in, whatever process it is of")
    void letsInAsManyAsItHas() throws Exception {
        needs(SemaphoreStore.class);
        Path room = Files.createDirectory(directory.resolve("room"));
        List<WorkerProcess> all = workers(3, LONG);
        for (WorkerProcess one : all) {
            one.tell("visit " + name + " 3 " + room + " 3 20");
        }
        for (WorkerProcess one : all) {
            assertThat(Integer.parseInt(one.expect("most ").substring("most ".length())))
                    .isBetween(1, 3);
        }
        assertThat(client().semaphore(name, 3).availablePermits()).isEqualTo(3);
    }

    @Test
    @DisplayName("the permits of a process that was killed come back within its lease, and no others")
    void getsPermitsBack() throws Exception {
        needs(SemaphoreStore.class);
        WorkerProcess killed = worker(LEASE);
        killed.ask("acquire " + name + " 5 2", "acquired");
        DistributedSemaphore semaphore = client(LEASE).semaphore(name, 5);
        semaphore.acquire();
        DistributedSemaphore other = client().semaphore(name, 5);
        assertThat(other.tryAcquire(4)).isFalse();
        killed.kill();
        long start = System.nanoTime();
        assertThat(other.tryAcquire(4, SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(since(start)).isLessThan(LEASE.plus(A_BIT));
        assertThat(other.availablePermits()).isZero();
        semaphore.release();
        other.release(4);
    }

    // ---- latches ----------------------------------------------------------------------------------------------

    @Test
    @DisplayName("a latch opens for all processes, and counts work that was done again after a crash once")
    void opensALatch() throws Exception {
        needs(LatchStore.class);
        List<WorkerProcess> all = workers(3, LONG);
        DistributedLatch latch = client().latch(name);
        assertThat(latch.trySetCount(2)).isTrue();
        all.get(0).tell("await " + name);
        all.get(1).ask("count-down " + name + " chunk-1", "counted-down");
        all.get(1).kill();
        all.get(2).ask("count-down " + name + " chunk-1", "counted-down");
        assertThat(latch.getCount()).isEqualTo(1);
        assertThat(all.get(0).hasSaid("open")).isFalse();
        all.get(2).ask("count-down " + name + " chunk-2", "counted-down");
        all.get(0).expect("open");
        until("it is open here", SOON, () -> latch.await(Duration.ZERO));
    }
}
