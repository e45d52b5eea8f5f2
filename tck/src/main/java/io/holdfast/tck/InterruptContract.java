package io.holdfast.tck;

import static io.holdfast.tck.Eventually.settles;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an interrupt does to a waiter, and that it leaves nothing behind. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class InterruptContract extends Contract {

    static Stream<Wait> interruptibleWaits() {
        return Stream.of(Wait.values()).filter(Wait::isInterruptible);
    }

    @Simulated
    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Wait.class,
            names = {"LOCK", "LOCK_LEASE", "LOCK_DURATION"})
    @DisplayName("before lock() is kept, and the lock that was free is held and given back like any other")
    void beforeUninterruptible(Wait way) throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        Actor bob = actor("bob");
        boolean kept = bob.gets(() -> {
            Thread.currentThread().interrupt();
            AutoCloseable held = way.take(lock, SOON, LONG);
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            boolean flag = Thread.currentThread().isInterrupted();
            held.close();
            return flag && Thread.interrupted();
        });
        assertThat(kept).as("the interrupt flag is kept").isTrue();
        DistributedLock other = client().lock(name);
        assertThat(other.tryLock()).isTrue();
        other.unlock();
        throughout("nobody renews it", SHORT, () -> !other.isLocked());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Wait.class,
            names = {"LOCK", "LOCK_LEASE", "LOCK_DURATION"})
    @DisplayName("in lock() is kept, however often it comes, and the thread waits on until it has the lock")
    void duringUninterruptible(Wait way) throws Exception {
        String name = name();
        Holdfast client = client();
        for (Holdfast other : List.of(client, client())) {
            client.lock(name).lock();
            Actor bob = actor("bob");
            Future<Boolean> kept = bob.begins(() -> {
                AutoCloseable held = way.take(other.lock(name), SOON, LONG);
                boolean flag = Thread.interrupted();
                held.close();
                return flag;
            });
            for (int i = 0; i < 3; i++) {
                until("bob waits", SOON, bob::isWaiting);
                bob.interrupt();
                throughout("bob waits on", Duration.ofMillis(20), () -> !kept.isDone());
            }
            client.lock(name).unlock();
            assertThat(await(kept)).as("the interrupt flag is kept").isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("interruptibleWaits")
    @DisplayName("before an interruptible wait ends it at once, even if the lock is free")
    void beforeInterruptible(Wait way) throws Exception {
        DistributedLock lock = client().lock(name());
        Actor bob = actor("bob");
        bob.does(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> way.take(lock, SOON, LONG)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).as("the flag is cleared").isFalse();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        });
        assertThat(lock.isLocked()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("interruptibleWaits")
    @DisplayName("in an interruptible wait for another client ends it, and the lock is never taken")
    void duringInterruptible(Wait way) throws Exception {
        String name = name();
        interruptsAWaiter(way, client().lock(name), client().lock(name));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("interruptibleWaits")
    @DisplayName("in an interruptible wait for a thread of the same client ends it, and the lock is never taken")
    void duringInterruptibleLocally(Wait way) throws Exception {
        DistributedLock lock = client().lock(name());
        interruptsAWaiter(way, lock, lock);
    }

    private void interruptsAWaiter(Wait way, DistributedLock held, DistributedLock waited) throws Exception {
        held.lock();
        Actor bob = actor("bob");
        Future<Boolean> flag = bob.begins(() -> {
            assertThatThrownBy(() -> way.take(waited, LONG, LONG)).isInstanceOf(InterruptedException.class);
            return Thread.interrupted();
        });
        until("bob waits", SOON, bob::isWaiting);
        bob.interrupt();
        assertThat(await(flag)).as("the flag is cleared").isFalse();
        held.unlock();
        settles("nobody has it", SOON, () -> !held.isLocked());
        assertThat(bob.gets(() -> waited.tryLock())).isTrue();
        bob.does(waited::unlock);
    }

    @Test
    @DisplayName("of one in the queue lets the others go on")
    void ofOneInTheQueue() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock();
        Actor bob = actor("bob");
        Actor carol = actor("carol");
        Future<?> gaveUp =
                bob.starts(() -> assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class));
        until("bob waits", SOON, bob::isWaiting);
        Future<?> got = carol.starts(lock::lock);
        until("carol waits", SOON, carol::isWaiting);
        bob.interrupt();
        await(gaveUp);
        lock.unlock();
        await(got);
        carol.does(lock::unlock);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("does not keep tryLock() from taking the lock nor unlock() from giving it back, and is kept")
    void doesNotTouchTheRest() throws Exception {
        DistributedLock lock = client().lock(name());
        actor("bob").does(() -> {
            Thread.currentThread().interrupt();
            assertThat(lock.tryLock()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(lock.isLocked()).isTrue();
            lock.unlock();
            assertThat(lock.isLocked()).isFalse();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    @DisplayName("before an interruptible re-entry leaves the holds as they were")
    void beforeReentry() throws Exception {
        DistributedLock lock = client().lock(name());
        actor("bob").does(() -> {
            lock.lock();
            Thread.currentThread().interrupt();
            assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
            assertThat(lock.getHoldCount()).isEqualTo(1);
            lock.unlock();
        });
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("that races with the grant leaves a lock that is either held or free")
    void racingWithTheGrant() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Actor bob = actor("bob");
        for (int i = 0; i < 40; i++) {
            lock.lock();
            Future<Boolean> got = bob.begins(() -> {
                try {
                    other.lockInterruptibly();
                    other.unlock();
                    return true;
                } catch (InterruptedException e) {
                    return false;
                } finally {
                    Thread.interrupted();
                }
            });
            Thread.sleep(i % 4);
            if (i % 2 == 0) {
                bob.interrupt();
                lock.unlock();
            } else {
                lock.unlock();
                bob.interrupt();
            }
            await(got);
        }
        settles("nobody has it in the end", SOON, () -> !lock.isLocked());
        assertThat(bob.gets(() -> other.tryLock())).isTrue();
        throughout("it is held once", Duration.ofMillis(50), () -> !lock.tryLock());
    }

    @Test
    @DisplayName("leaves a lock that is not held, not for a moment, and taken anew it is held once")
    void leavesNothingHeld() throws Exception {
        Holdfast client = client();
        String name = name();
        isNotHeldAfterInterrupts(client.lock(name), client.lock(name));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("leaves a lock of any kind that is not held, not for a moment, and taken anew it is held once")
    void leavesNothingHeld(LockKind kind) throws Exception {
        Holdfast client = client();
        String name = name();
        isNotHeldAfterInterrupts(client.lock(name), kind.of(client, name));
    }

    /** The interrupt comes while the grant is under way: a little before it, and ever closer to it. */
    private void isNotHeldAfterInterrupts(DistributedLock held, DistributedLock wanted) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
        AtomicBoolean ended = new AtomicBoolean();
        Future<?> looked = actor("bob").starts(() -> {
            try {
                while (System.nanoTime() < end) {
                    takesInterruptibly(wanted, waiting);
                }
            } finally {
                ended.set(true);
            }
        });
        for (int round = 0; !ended.get(); round++) {
            held.lock();
            spinUntil(() -> isAsleep(waiting.get()), 1_000_000);
            Thread bob = waiting.getAndSet(null);
            if (bob != null) {
                bob.interrupt();
            }
            spinUntil(() -> false, round % 50 * 2_000L);
            held.unlock();
        }
        await(looked);
    }

    private static boolean isAsleep(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.WAITING;
    }

    private static void spinUntil(BooleanSupplier condition, long nanos) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }

    private static void takesInterruptibly(DistributedLock lock, AtomicReference<@Nullable Thread> waiting) {
        waiting.set(Thread.currentThread());
        try {
            lock.lockInterruptibly();
            lock.unlock();
        } catch (InterruptedException e) {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.getHoldCount()).isZero();
            lock.lock();
            assertThat(lock.getHoldCount()).isEqualTo(1);
            lock.unlock();
        } finally {
            waiting.set(null);
            Thread.interrupted();
        }
    }
}
