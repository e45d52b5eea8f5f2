package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers together, writers alone. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class ReadWriteContract extends Contract {

    private static final int MOST_DOWNGRADES = 300;
    private static final Duration DOWNGRADES_FOR = Duration.ofSeconds(4);

    private final String name = name();

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        onlooker = Onlooker.of(client(), name);
    }

    private DistributedReadWriteLock of(Holdfast client) {
        return client.readWriteLock(name);
    }

    private DistributedReadWriteLock fair(Holdfast client) {
        needs(QueueingStore.class);
        return client.readWriteLock(name, LockOptions.defaults().fair());
    }

    @Essential
    @Test
    @DisplayName("is held by readers together, in one client and in several, and by a writer alone")
    void sharesAndExcludes() throws Exception {
        Holdfast here = client();
        Holdfast there = client();
        DistributedLock read = of(here).readLock();
        Actor bob = actor("bob");
        read.lock();
        assertThat(bob.gets(() -> of(here).readLock().tryLock())).isTrue();
        assertThat(bob.gets(() -> fair(there).readLock().tryLock())).isTrue();
        assertThat(onlooker.sees().holders()).hasSize(3);
        Holdfast elsewhere = client();
        assertThat(bob.gets(() -> of(elsewhere).writeLock().tryLock())).isFalse();
        assertThat(bob.gets(() -> fair(elsewhere).writeLock().tryLock(1, TimeUnit.SECONDS)))
                .isFalse();
        assertThat(client().lock(name).tryLock()).isFalse();
        read.unlock();
        bob.does(of(here).readLock()::unlock);
        bob.does(of(there).readLock()::unlock);
        DistributedLock write = of(there).writeLock();
        assertThat(write.tryLock()).isTrue();
        for (Holdfast other : List.of(here, there)) {
            assertThat(bob.gets(() -> of(other).readLock().tryLock())).isFalse();
            assertThat(bob.gets(() -> of(other).writeLock().tryLock())).isFalse();
            assertThat(bob.gets(() -> other.lock(name).tryLock())).isFalse();
        }
        write.unlock();
        onlooker.seesNobody();
    }

    /** Two cells that are equal whenever no writer is in the middle of writing them. */
    private static final class Pair {
        volatile int first;
        volatile int second;

        void increment() {
            int seen = first;
            first = seen + 1;
            LockSupport.parkNanos(50_000);
            second = seen + 1;
        }

        boolean isWhole() {
            int seen = first;
            LockSupport.parkNanos(50_000);
            return seen == second;
        }
    }

    @Essential
    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("shows readers what writers have finished, and no writer the work of another by halves")
    void guards(boolean fair) throws Exception {
        Pair pair = new Pair();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client();
            DistributedReadWriteLock lock = fair ? fair(client) : of(client);
            all.add(actor("writer").starts(() -> {
                for (int i = 0; i < 25; i++) {
                    lock.writeLock().lock();
                    pair.increment();
                    lock.writeLock().unlock();
                }
            }));
            for (int t = 0; t < 2; t++) {
                all.add(actor("reader").starts(() -> {
                    for (int i = 0; i < 25; i++) {
                        lock.readLock().lock();
                        assertThat(pair.isWhole()).isTrue();
                        lock.readLock().unlock();
                    }
                }));
            }
        }
        awaitAll(all);
        assertThat(pair.first).isEqualTo(75);
        assertThat(pair.second).isEqualTo(75);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is, for writing, the plain lock of its name")
    void isThePlainLock() throws Exception {
        Holdfast client = client();
        DistributedLock plain = client.lock(name);
        DistributedLock write = of(client).writeLock();
        plain.lock();
        write.lock();
        assertThat(plain.getHoldCount()).isEqualTo(2);
        assertThat(write.getHoldCount()).isEqualTo(2);
        assertThat(of(client).readLock().getHoldCount()).isZero();
        plain.unlock();
        plain.unlock();
        assertThat(write.isHeldByCurrentThread()).isFalse();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("can be held for reading by its writer, who then gives the write lock back")
    void downgrades(boolean fair) throws Exception {
        Holdfast client = client();
        DistributedReadWriteLock lock = fair ? fair(client) : of(client);
        DistributedReadWriteLock other = of(client());
        lock.writeLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.readLock().getHoldCount()).isEqualTo(2);
        assertThat(lock.writeLock().getHoldCount()).isEqualTo(1);
        assertThat(other.readLock().tryLock()).isFalse();
        lock.writeLock().unlock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(other.readLock().tryLock()).isTrue();
        assertThat(client().lock(name).tryLock()).isFalse();
        other.readLock().unlock();
        lock.readLock().unlock();
        lock.readLock().unlock();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("is had for reading by its writer at once, in the ways that do not wait too")
    void downgradesAtOnce(boolean fair) throws Exception {
        Holdfast client = client();
        DistributedReadWriteLock lock = fair ? fair(client) : of(client);
        lock.writeLock().lock();
        assertThat(lock.readLock().tryLock()).isTrue();
        lock.readLock().unlock();
        assertThat(lock.readLock().tryLock(0, TimeUnit.SECONDS)).isTrue();
        lock.readLock().unlock();
        assertThat(await(lock.readLock().tryLockAsync())).isTrue();
        lock.writeLock().unlock();
        assertThat(client().lock(name).tryLock()).as("it is held for reading").isFalse();
        lock.readLock().unlock();
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("is held for reading by its writer though others wait for it, and before them")
    void downgradesBeforeOthers() throws Exception {
        DistributedReadWriteLock lock = fair(client());
        lock.writeLock().lock();
        Actor bob = actor("bob");
        DistributedLock waiting = fair(client()).writeLock();
        Future<?> got = bob.starts(waiting::lock);
        onlooker.seesWaiting(1);
        lock.readLock().lock();
        lock.writeLock().unlock();
        throughout("bob waits for the reader", Duration.ofMillis(50), () -> !got.isDone());
        lock.readLock().unlock();
        await(got);
        bob.does(waiting::unlock);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is had for reading by its writer whenever fair and plain waiters of other clients arrive")
    void downgradesWhileOthersArrive() throws Exception {
        needs(QueueingStore.class);
        Holdfast writing = client();
        Holdfast fairly = client();
        List<Holdfast> plainly = List.of(client(), client());
        long end = System.nanoTime() + DOWNGRADES_FOR.toNanos();
        for (int round = 0; round < MOST_DOWNGRADES && (round < 5 || System.nanoTime() < end); round++) {
            String fresh = name("round-" + round); // the first waiter of a name changes more than later ones
            DistributedReadWriteLock lock = writing.readWriteLock(fresh);
            List<CompletableFuture<Lease>> waiting = new ArrayList<>();
            lock.writeLock().lock();
            waiting.add(fairly.fairLock(fresh).acquireAsync());
            Onlooker.of(fairly, fresh).seesWaiting(1);
            plainly.forEach(one -> waiting.add(one.lock(fresh).acquireAsync()));
            List<CompletableFuture<Boolean>> trying = plainly.stream()
                    .map(one -> one.readWriteLock(fresh).readLock().tryLockAsync())
                    .toList();
            assertThat(lock.readLock().tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS))
                    .as("the writer has the read lock, round %d", round)
                    .isTrue();
            for (CompletableFuture<Boolean> one : trying) {
                assertThat(await(one)).as("the lock is held for writing").isFalse();
            }
            lock.writeLock().unlock();
            lock.readLock().unlock();
            for (CompletableFuture<Lease> one : waiting) {
                one.thenAccept(Lease::close);
            }
            for (CompletableFuture<Lease> one : waiting) {
                await(one);
            }
        }
    }

    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("is refused to a reader who asks for the write lock, and the read lock stays")
    void refusesToUpgrade(boolean fair) throws Exception {
        Holdfast client = client();
        DistributedReadWriteLock lock = fair ? fair(client) : of(client);
        DistributedLock write = lock.writeLock();
        lock.readLock().lock();
        for (Actor.Step wait : List.<Actor.Step>of(
                write::lock,
                write::lockInterruptibly,
                () -> write.lock(LONG),
                () -> write.tryLock(60, TimeUnit.SECONDS),
                () -> await(write.lockAsync()),
                client.lock(name)::lock)) {
            assertThatThrownBy(wait::run)
                    .isInstanceOfSatisfying(
                            HoldfastException.class,
                            e -> assertThat(e.retryable()).isFalse());
        }
        assertThat(write.tryLock()).isFalse();
        assertThat(await(write.tryLockAsync())).isFalse();
        assertThat(write.getHoldCount()).isZero();
        assertThat(lock.readLock().getHoldCount()).isEqualTo(1);
        lock.readLock().unlock();
        write.lock();
        write.unlock();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("that is fair lets a writer in though readers come without end, and later readers wait behind it")
    void doesNotStarveWriters() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock read = fair(client()).readLock();
            readers.add(actor("reader-" + i).starts(() -> {
                while (!enough.get()) {
                    read.lock();
                    LockSupport.parkNanos(2_000_000);
                    read.unlock();
                }
            }));
        }
        try {
            DistributedLock write = fair(client()).writeLock();
            for (int i = 0; i < 5; i++) {
                assertThat(write.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
                write.unlock();
            }
        } finally {
            enough.set(true);
        }
        awaitAll(readers);
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("that is fair serves readers and writers in the order in which they came")
    void servesInOrder() throws Exception {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        DistributedReadWriteLock first = fair(client());
        first.readLock().lock();
        List<Future<?>> all = new ArrayList<>();
        String queue = "WrrWrW";
        for (int i = 0; i < queue.length(); i++) {
            char kind = queue.charAt(i);
            DistributedReadWriteLock lock = fair(client());
            DistributedLock side = kind == 'W' ? lock.writeLock() : lock.readLock();
            String both = i == 1 || i == 2 ? "rr" : String.valueOf(kind); // these two may come in either order
            all.add(actor("waiter-" + i).starts(() -> {
                side.lock();
                order.add(both);
                side.unlock();
            }));
            onlooker.seesWaiting(i + 1);
        }
        assertThat(onlooker.sees().waiters())
                .extracting(Claimant::mode)
                .containsExactly(Mode.EXCLUSIVE, Mode.SHARED, Mode.SHARED, Mode.EXCLUSIVE, Mode.SHARED, Mode.EXCLUSIVE);
        assertThat(actor("late").gets(() -> fair(client()).readLock().tryLock(1, TimeUnit.SECONDS)))
                .as("a reader behind a writer that waits")
                .isFalse();
        first.readLock().unlock();
        awaitAll(all);
        assertThat(order).containsExactly("W", "rr", "rr", "W", "r", "W");
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("lets readers who waited in together")
    void letsReadersInTogether() throws Exception {
        DistributedLock write = fair(client()).writeLock();
        write.lock();
        List<Lease> inside = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock read = fair(client()).readLock();
            all.add(actor("reader-" + i).starts(() -> inside.add(read.acquire())));
            onlooker.seesWaiting(i + 1);
        }
        write.unlock();
        awaitAll(all);
        assertThat(inside).hasSize(4).allMatch(Lease::isValid);
        onlooker.seesHolding(4);
        for (Lease one : inside) {
            one.close();
        }
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("is freed of a dead reader by its own lease, though living ones are renewed, come and go")
    void isFreedOfADeadReader() throws Exception {
        Claims dead = new Claims(openStore());
        Duration lease = KEPT;
        DistributedReadWriteLock living =
                of(client(KEPT.multipliedBy(2))); // renewed before the dead one's lease is over
        AtomicBoolean enough = new AtomicBoolean();
        long start = System.nanoTime();
        dead.granted(dead.shared(name, QueuePolicy.BARGES).withLease(lease));
        Lease kept = living.readLock().acquire();
        Future<?> passing = actor("passing").starts(() -> {
            while (!enough.get()) {
                living.readLock().acquire().close();
            }
        });
        eventually(
                SOON,
                () -> assertThat(onlooker.sees().holders())
                        .noneMatch(holder -> holder.claimId().startsWith(dead.client())));
        assertThat(since(start)).isBetween(lease.minusMillis(2), lease.plus(SLACK));
        enough.set(true);
        await(passing);
        assertThat(kept.isValid()).isTrue();
        kept.close();
        DistributedLock write = of(client()).writeLock();
        assertThat(write.tryLock()).isTrue();
        write.unlock();
    }

    @Test
    @DisplayName("wakes a writer when the last reader leaves, and readers when the writer does")
    void wakes() throws Exception {
        DistributedReadWriteLock here = of(client());
        DistributedReadWriteLock there = of(client());
        Actor bob = actor("bob");
        for (List<DistributedLock> pair : List.of(
                List.of(here.readLock(), there.writeLock()),
                List.of(here.writeLock(), there.readLock()),
                List.of(here.writeLock(), there.writeLock()))) {
            Duration quickest = LONG;
            for (int i = 0; i < 15 && quickest.compareTo(SOONER_THAN_A_LOOK) >= 0; i++) {
                pair.get(0).lock();
                long start = System.nanoTime();
                Future<?> got = bob.starts(pair.get(1)::lock);
                until("bob waits", SOON, bob::isWaiting);
                Thread.sleep(50);
                pair.get(0).unlock();
                await(got);
                quickest = since(start).compareTo(quickest) < 0 ? since(start) : quickest;
                bob.does(pair.get(1)::unlock);
            }
            assertThat(quickest).isLessThan(SOONER_THAN_A_LOOK);
        }
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is had for writing by who tried in vain before, when the readers of the same client are gone")
    void isHadAfterATry() throws Exception {
        DistributedReadWriteLock lock = of(client());
        lock.readLock().lock();
        Actor bob = actor("bob");
        assertThat(bob.gets(() -> lock.writeLock().tryLock())).isFalse();
        assertThat(bob.gets(() -> lock.writeLock().tryLock(1, TimeUnit.SECONDS)))
                .isFalse();
        Future<?> got = bob.starts(lock.writeLock()::lock);
        until("bob waits", SOON, bob::isWaiting);
        lock.readLock().unlock();
        await(got);
        bob.does(lock.writeLock()::unlock);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("tells each side of it who holds it")
    void knowsItsHolders() throws Exception {
        DistributedReadWriteLock lock = of(client());
        DistributedReadWriteLock other = of(client());
        assertThat(lock.getName()).isEqualTo(name);
        assertThat(lock.readLock().getName()).isEqualTo(name);
        lock.readLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().getHoldCount()).isEqualTo(2);
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.writeLock().getHoldCount()).isZero();
        assertThat(other.readLock().isLocked()).isTrue();
        assertThat(other.readLock().isHeldByCurrentThread()).isFalse();
        assertThat(other.readLock().remainTimeToLive()).isBetween(LONG.toMillis() / 2, LONG.toMillis());
        assertThat(onlooker.sees().holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.mode()).isEqualTo(Mode.SHARED));
        assertThatThrownBy(lock.writeLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.readLock().unlock();
        lock.readLock().unlock();
        assertThat(other.readLock().isLocked()).isFalse();
        lock.writeLock().lock();
        assertThat(other.writeLock().isLocked()).isTrue();
        assertThat(lock.readLock().isHeldByCurrentThread()).isFalse();
        assertThat(onlooker.sees().holders())
                .singleElement()
                .satisfies(holder -> assertThat(holder.mode()).isEqualTo(Mode.EXCLUSIVE));
        assertThatThrownBy(lock.readLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.writeLock().unlock();
        assertThat(other.writeLock().isLocked()).isFalse();
        assertThat(other.writeLock().remainTimeToLive()).isEqualTo(-2);
    }

    @Test
    @DisplayName("forces and shows each side of it alone")
    void sidesAreApart() throws Exception {
        DistributedReadWriteLock lock = of(client());
        DistributedReadWriteLock other = of(client());
        DistributedLock plain = client().lock(name);
        Lease first = lock.readLock().acquire();
        Lease second = of(client()).readLock().acquire();
        assertThat(other.writeLock().isLocked()).as("readers are no writer").isFalse();
        assertThat(other.writeLock().remainTimeToLive()).isEqualTo(-2);
        assertThat(other.writeLock().forceUnlock()).as("there is no writer").isFalse();
        assertThat(plain.isLocked()).as("the name is held").isTrue();
        assertThat(onlooker.sees().holders()).hasSize(2);
        assertThat(other.readLock().forceUnlock()).isTrue();
        onlooker.seesNobody();
        for (Lease forced : List.of(first, second)) {
            assertThatThrownBy(forced::close).isInstanceOf(LeaseLostException.class);
        }
        lock.writeLock().lock();
        assertThat(other.readLock().forceUnlock()).as("there are no readers").isFalse();
        assertThat(other.readLock().isLocked()).isFalse();
        lock.readLock().lock();
        assertThat(other.writeLock().forceUnlock()).isTrue();
        assertThat(other.writeLock().isLocked()).isFalse();
        assertThat(other.readLock().isLocked())
                .as("what the writer reads is its own")
                .isTrue();
        assertThatThrownBy(lock.writeLock()::unlock).isInstanceOf(LeaseLostException.class);
        lock.readLock().unlock();
        Lease last = lock.readLock().acquire();
        assertThat(plain.forceUnlock()).as("the name, whoever has it").isTrue();
        assertThatThrownBy(last::close).isInstanceOf(LeaseLostException.class);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("gives tokens that rise, to readers too")
    void tokensRise() throws Exception {
        List<Long> tokens = new ArrayList<>();
        List<Lease> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Lease lease = of(client()).readLock().acquire();
            readers.add(lease);
            tokens.add(lease.token());
        }
        for (Lease one : readers) {
            one.close();
        }
        try (Lease write = of(client()).writeLock().acquire()) {
            tokens.add(write.token());
        }
        try (Lease read = fair(client()).readLock().acquire()) {
            tokens.add(read.token());
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("loses one reader and not the others")
    void losesOneReader() throws Exception {
        Lease brief = of(client()).readLock().acquire(Duration.ofMillis(150));
        Lease kept = of(client(KEPT)).readLock().acquire();
        until("the brief one is lost", SOON, () -> !brief.isValid());
        throughout("the other is kept", OUTLASTING, kept::isValid);
        kept.close();
        onlooker.seesNobody();
    }
}
