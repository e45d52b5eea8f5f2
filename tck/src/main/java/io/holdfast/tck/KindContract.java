package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is true of every kind of lock. The plain one has contracts of its own, and stands against them here. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class KindContract extends Contract {

    private final String name = name();

    @SuppressWarnings("NullAway.Init")
    private DistributedLock plain;

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        Holdfast other = client();
        plain = other.lock(name);
        onlooker = Onlooker.of(other, name);
    }

    static Stream<Arguments> waits() {
        return kindsAnd(way -> true);
    }

    static Stream<Arguments> timedWaits() {
        return kindsAnd(way -> way.name().startsWith("TRY_"));
    }

    static Stream<Arguments> interruptibleWaits() {
        return kindsAnd(Wait::isInterruptible);
    }

    private static Stream<Arguments> kindsAnd(Predicate<Wait> which) {
        return Stream.of(LockKind.values())
                .flatMap(kind -> Stream.of(Wait.values()).filter(which).map(way -> arguments(kind, way)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("waits")
    @DisplayName("is taken in every way, keeps others out for the lease that was asked for, and is given back")
    void isTakenInEveryWay(LockKind kind, Wait way) throws Exception {
        DistributedLock lock = kind.of(client(LONG), name);
        Duration lease = LONG.multipliedBy(10);
        way.untilHeld(lock, SOON, lease, () -> {
            assertThat(plain.tryLock()).isFalse();
            Duration least = way.hasLease() ? LONG.multipliedBy(9) : LONG.dividedBy(2);
            Duration most = way.hasLease() ? lease : LONG;
            assertThat(onlooker.sees().holders())
                    .singleElement()
                    .satisfies(holder -> assertThat(holder.timeLeft()).isBetween(least, most));
        });
        assertThat(plain.tryLock()).isTrue();
        plain.unlock();
        assertThat(onlooker.sees().waiters()).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("timedWaits")
    @DisplayName("leaves nothing by a wait that timed out")
    void timesOut(LockKind kind, Wait way) throws Exception {
        DistributedLock lock = kind.of(client(), name);
        plain.lock();
        for (int millis = 0; millis <= 20; millis += 20) {
            Duration wait = Duration.ofMillis(millis);
            assertThatThrownBy(() -> way.take(lock, wait, LONG)).isInstanceOf(TimeoutException.class);
        }
        onlooker.seesOnly(0);
        plain.unlock();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("interruptibleWaits")
    @DisplayName("leaves nothing by a wait that was interrupted")
    void isInterrupted(LockKind kind, Wait way) throws Exception {
        DistributedLock lock = kind.of(client(), name);
        plain.lock();
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(() -> {
            assertThatThrownBy(() -> way.take(lock, LONG, LONG)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag").isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> way.take(lock, LONG, LONG)).isInstanceOf(InterruptedException.class);
        });
        until("bob waits", SOON, bob::isWaiting);
        bob.interrupt();
        await(waiting);
        onlooker.seesOnly(0);
        plain.unlock();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("leaves nothing by a future that was cancelled")
    void isCancelled(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(), name);
        plain.lock();
        List<CompletableFuture<?>> all = List.of(
                lock.lockAsync(),
                lock.lockAsync(7),
                lock.tryLockAsync(60, TimeUnit.SECONDS),
                lock.acquireAsync(),
                lock.tryAcquireAsync(LONG));
        all.forEach(one -> assertThat(one.cancel(true)).isTrue());
        onlooker.seesOnly(0);
        plain.unlock();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("is taken by lock() with the interrupt flag set, keeps the flag, and is not renewed for ever")
    void keepsTheFlag(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(KEPT), name);
        plain.lock();
        Actor bob = actor("bob");
        Future<Boolean> kept = bob.begins(() -> {
            Thread.currentThread().interrupt();
            lock.lock();
            boolean flag = Thread.interrupted();
            lock.unlock();
            return flag;
        });
        until("bob waits", SOON, bob::isWaiting);
        bob.interrupt();
        throughout("bob waits on", Duration.ofMillis(20), () -> !kept.isDone());
        plain.unlock();
        assertThat(await(kept)).as("the flag is kept").isTrue();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("is entered again by its owner, and is free after as many unlocks")
    void isReentrant(LockKind kind) throws Exception {
        Holdfast client = client();
        DistributedLock lock = kind.of(client, name);
        lock.lock();
        lock.lock(LONG);
        assertThat(lock.tryLock()).isTrue();
        assertThat(kind.of(client, name).tryLock(0, TimeUnit.SECONDS)).isTrue();
        await(lock.lockAsync());
        assertThat(lock.getHoldCount()).isEqualTo(5);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(actor("bob").gets(lock::isHeldByCurrentThread)).isFalse();
        assertThat(actor("bob").gets(lock::getHoldCount)).isZero();
        assertThat(lock.isLocked()).isTrue();
        for (int i = 4; i >= 0; i--) {
            assertThat(plain.tryLock()).isFalse();
            lock.unlock();
            assertThat(lock.getHoldCount()).isEqualTo(i);
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        onlooker.seesNobody();
    }

    @Simulated
    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = LockKind.class,
            names = {"FAIR", "READ", "MULTI"})
    @DisplayName("is not shortened by a nested lease, and a lease that ran out has no part in the next lock()")
    void nestsLeases(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(KEPT), name);
        lock.lock();
        lock.lock(Duration.ofMillis(100));
        throughout("it is held", Duration.ofMillis(200), lock::isHeldByCurrentThread);
        lock.unlock();
        lock.unlock();
        lock.lock(passingLease());
        until("its lease runs out", SOON, () -> !lock.isHeldByCurrentThread());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        throughout("it is held", OUTLASTING, () -> lock.isHeldByCurrentThread() && !plain.tryLock());
        lock.unlock();
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("is taken anew, and held, by who asks at the very moment that its lease has run out")
    void isTakenAnewWhenItRanOut(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(), name);
        for (int i = 0; i < 30; i++) {
            lock.lock(store().briefLease());
            while (lock.isHeldByCurrentThread()) {
                Thread.onSpinWait(); // no later than the client's own timer
            }
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            lock.lock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            lock.unlock();
        }
        onlooker.seesNobody();
    }

    @Simulated
    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("tells its loss once, by its lease, unlock() and close(), and begins anew")
    void tellsItsLoss(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(KEPT), name);
        AtomicInteger told = new AtomicInteger();
        lock.lock();
        Lease lost = lock.lease();
        lost.onLost(same -> told.incrementAndGet());
        assertThat(plain.forceUnlock()).isTrue();
        until("it is told", SOON, () -> told.get() == 1);
        assertThat(lost.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        Lease next = lock.acquire(passingLease());
        next.onLost(same -> told.incrementAndGet());
        until("it is told again", SOON, () -> told.get() == 2);
        assertThatThrownBy(next::close).isInstanceOf(LeaseLostException.class);
        next.close();
        lock.lock();
        assertThat(lock.lease().token()).isGreaterThan(next.token()).isGreaterThan(lost.token());
        lock.unlock();
        onlooker.seesNobody();
        assertThat(told).hasValue(2);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("belongs to an owner id or a handle as well as to a thread")
    void hasOwners(LockKind kind) throws Exception {
        DistributedLock lock = kind.of(client(), name);
        await(lock.lockAsync(1));
        await(lock.lockAsync(1));
        assertThat(lock.isHeldByThread(1)).isTrue();
        assertThat(lock.isHeldByThread(2)).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(() -> await(lock.unlockAsync(2))).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(await(lock.tryLockAsync(2))).isEqualTo(kind.isShared());
        await(lock.unlockAsync(1));
        assertThat(plain.tryLock()).isFalse();
        await(lock.unlockAsync(1));
        if (kind.isShared()) {
            await(lock.unlockAsync(2));
        }
        Lease handle = lock.acquire();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(plain.tryLock()).isFalse();
        actor("bob").does(handle::close);
        onlooker.seesNobody();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("is given back by close(), which fails those who wait at once")
    void isGivenBackByClose(LockKind kind) throws Exception {
        Holdfast holder = client();
        Holdfast waiting = client();
        plain.lock();
        Actor bob = actor("bob");
        Future<?> failed = bob.starts(
                () -> assertThatThrownBy(kind.of(waiting, name)::lock).isInstanceOf(ClientClosedException.class));
        until("bob waits", SOON, bob::isWaiting);
        waiting.close();
        await(failed);
        onlooker.seesOnly(0);
        plain.unlock();
        Lease lease = kind.of(holder, name).acquire();
        holder.close();
        assertThat(lease.isValid()).isFalse();
        onlooker.seesNobody();
        assertThatThrownBy(kind.of(holder, name)::lock).isInstanceOf(ClientClosedException.class);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = LockKind.class,
            names = {"FAIR", "READ", "MULTI"})
    @DisplayName("is got in time though every hint is lost, and exactly once though answers are")
    void survivesLosses(LockKind kind) throws Exception {
        plain.lock();
        DistributedLock deaf = kind.of(client(new DeafStore(store().newStore()), LONG), name);
        Actor bob = actor("bob");
        Future<?> got = bob.starts(() -> deaf.withLock(() -> null));
        until("bob waits", SOON, bob::isWaiting);
        plain.unlock();
        long start = System.nanoTime();
        await(got);
        assertThat(since(start)).isLessThan(SLACK);
        DistributedLock lossy = kind.of(client(new LossyStore(store().newStore()), LONG), name);
        for (int i = 0; i < 5; i++) {
            lossy.lock();
            assertThat(plain.tryLock()).isFalse();
            lossy.unlock();
        }
        onlooker.seesNobody();
    }

    @Simulated
    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = LockKind.class,
            names = {"FAIR", "READ", "MULTI"})
    @DisplayName("leaves a client that holds nothing with nothing to do")
    void leavesNothingToDo(LockKind kind) throws Exception {
        CountingStore counted = new CountingStore(newStore());
        DistributedLock lock = kind.of(client(counted, SHORT), name);
        plain.lock();
        assertThat(actor("bob").gets(() -> lock.tryLock(20, TimeUnit.MILLISECONDS)))
                .isFalse();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        assertThat(waiting).isNotDone();
        plain.unlock();
        await(waiting).close();
        onlooker.seesNobody();
        eventually(SOON, () -> {
            int before = counted.commands();
            pass(SHORT);
            assertThat(counted.commands() - before).as("commands").isZero();
        });
    }
}
