package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of {@link java.util.concurrent.locks.Lock}, over several clients. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LockContract extends Contract {

    @Test
    @DisplayName("is held by one thread of one client at a time")
    void excludes() throws Exception {
        String name = name();
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client();
            for (int t = 0; t < 3; t++) {
                all.add(actor("c" + c + "t" + t).starts(() -> {
                    DistributedLock lock = client.lock(name);
                    for (int i = 0; i < 60; i++) {
                        lock.lock();
                        try {
                            counter.increment();
                        } finally {
                            lock.unlock();
                        }
                    }
                }));
            }
        }
        for (Future<?> one : all) {
            await(one);
        }
        assertThat(counter.value()).isEqualTo(3 * 3 * 60);
    }

    @Test
    @DisplayName("is held by one at a time when it is taken in every way that there is")
    void excludesInEveryWay() throws Exception {
        String name = name();
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        List<Holdfast> clients = List.of(client(), client(), client());
        for (Wait way : Wait.values()) {
            Holdfast client = clients.get(all.size() % clients.size());
            all.add(actor(way.name()).starts(() -> {
                for (int i = 0; i < 15; i++) {
                    way.untilHeld(client.lock(name), SOON, LONG, counter::increment);
                }
            }));
        }
        for (Future<?> one : all) {
            await(one);
        }
        assertThat(counter.value()).isEqualTo(Wait.values().length * 15);
    }

    @Test
    @DisplayName("can be entered again by its holder, and is free after as many unlocks")
    void reenters() {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        for (int i = 1; i <= 3; i++) {
            if (i % 2 == 0) {
                assertThat(lock.tryLock()).isTrue();
            } else {
                lock.lock();
            }
            assertThat(lock.getHoldCount()).isEqualTo(i);
        }
        for (int i = 2; i >= 0; i--) {
            assertThat(other.tryLock()).isFalse();
            lock.unlock();
            assertThat(lock.getHoldCount()).isEqualTo(i);
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    @DisplayName("is known by its holding thread and is no other's")
    void knowsItsThread() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.isHeldByThread(Thread.currentThread().getId())).isTrue();
        Actor bob = actor("bob");
        assertThat(bob.gets(lock::isHeldByCurrentThread)).isFalse();
        assertThat(bob.gets(lock::getHoldCount)).isZero();
        assertThat(bob.gets(() -> lock.isHeldByThread(Thread.currentThread().getId())))
                .isFalse();
        assertThat(bob.gets(() -> lock.tryLock())).isFalse();
    }

    @Test
    @DisplayName("is one lock, however many objects of its name there are")
    void isNamedNotAnObject() {
        String name = name();
        Holdfast client = client();
        client.lock(name).lock();
        assertThat(client.lock(name).getHoldCount()).isEqualTo(1);
        assertThat(client.lock(name).getName()).isEqualTo(name);
        client.lock(name).unlock();
        assertThat(client.lock(name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("does not stand in the way of another name")
    void isIndependent() {
        Holdfast client = client();
        Holdfast other = client();
        client.lock(name("a")).lock();
        assertThat(other.lock(name("b")).tryLock()).isTrue();
        assertThat(client.lock(name("c")).tryLock()).isTrue();
    }

    @Test
    @DisplayName("is free for everybody as soon as unlock() returns")
    void isFreeAfterUnlock() {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        for (int i = 0; i < 20; i++) {
            assertThat(lock.tryLock()).as("round %d", i).isTrue();
            assertThat(other.tryLock()).isFalse();
            lock.unlock();
            assertThat(other.tryLock()).as("round %d", i).isTrue();
            other.unlock();
        }
    }

    @Test
    @DisplayName("can only be given back by its holder")
    void refusesStrangers() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        assertThatThrownBy(lock::unlock)
                .as("nobody holds it")
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
        lock.lock();
        assertThatThrownBy(other::unlock)
                .as("another client holds it")
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> actor("bob").does(lock::unlock))
                .as("another thread holds it")
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(other.tryLock()).isFalse();
        lock.unlock();
    }

    @Test
    @DisplayName("that is taken is not waited for by tryLock()")
    void doesNotWait() throws Exception {
        String name = name();
        Holdfast client = client();
        client.lock(name).lock();
        DistributedLock other = client().lock(name);
        long start = System.nanoTime();
        assertThat(other.tryLock()).isFalse();
        assertThat(other.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(other.tryLock(-1, TimeUnit.HOURS)).isFalse();
        assertThat(other.tryLock(Duration.ZERO, LONG)).isFalse();
        assertThat(actor("bob").gets(() -> client.lock(name).tryLock())).isFalse();
        assertThat(since(start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("that stays taken is waited for as long as was said, and no longer")
    void waitsAsLongAsTold() throws Exception {
        String name = name();
        Holdfast client = client();
        client.lock(name).lock();
        Duration wait = Duration.ofMillis(700);
        for (DistributedLock lock : List.of(client.lock(name), client().lock(name))) {
            Actor bob = actor("bob");
            long start = System.nanoTime();
            assertThat(bob.gets(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)))
                    .isFalse();
            assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
        }
    }

    @Test
    @DisplayName("that is given back meanwhile goes to a thread that waits for a time")
    void isGotWhileWaiting() throws Exception {
        String name = name();
        Holdfast client = client();
        for (Holdfast other : List.of(client, client())) {
            client.lock(name).lock();
            Actor bob = actor("bob");
            Future<Boolean> got = bob.begins(() -> other.lock(name).tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS));
            until("bob waits", SOON, bob::isWaiting);
            throughout("bob waits", Duration.ofMillis(50), () -> !got.isDone());
            client.lock(name).unlock();
            assertThat(await(got)).isTrue();
            bob.does(() -> other.lock(name).unlock());
        }
    }

    @Test
    @DisplayName("wakes a waiter of another client when it is given back, long before it would look again")
    void wakesOthers() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Actor bob = actor("bob");
        long waited = 0;
        for (int i = 0; i < 5; i++) {
            lock.lock();
            Future<?> got = bob.starts(other::lock);
            until("bob waits", SOON, bob::isWaiting);
            Thread.sleep(50); // until bob's client has asked the store and watches it
            long start = System.nanoTime();
            lock.unlock();
            await(got);
            waited += System.nanoTime() - start;
            bob.does(other::unlock);
        }
        assertThat(Duration.ofNanos(waited)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("is given back after withLock, whatever becomes of the body")
    void runsABody() throws Exception {
        DistributedLock lock = client().lock(name());
        assertThat(lock.<Boolean>withLock(lock::isHeldByCurrentThread)).isTrue();
        assertThat(lock.isLocked()).isFalse();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> lock.withLock(() -> {
                    throw new IOException("of the body");
                }));
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("has no conditions")
    void hasNoConditions() {
        DistributedLock lock = client().lock(name());
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("is held by one virtual thread at a time")
    void excludesVirtualThreads() throws Exception {
        Method start = virtualThreads();
        String name = name();
        List<Holdfast> clients = List.of(client(), client());
        RacyCounter counter = new RacyCounter();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            DistributedLock lock = clients.get(i % 2).lock(name);
            Runnable task = () -> {
                lock.lock();
                try {
                    counter.increment();
                } finally {
                    lock.unlock();
                }
            };
            all.add((Thread) start.invoke(null, task));
        }
        for (Thread one : all) {
            one.join(SOON.toMillis());
        }
        assertThat(counter.value()).isEqualTo(100);
    }

    private static Method virtualThreads() {
        Method found = null;
        try {
            found = Thread.class.getMethod("startVirtualThread", Runnable.class);
            found.invoke(null, (Runnable) () -> {});
        } catch (ReflectiveOperationException e) {
            found = null; // Java 17, or a preview that is off
        }
        assumeTrue(found != null, "this JVM has no virtual threads");
        return Objects.requireNonNull(found);
    }
}
