package io.holdfast.tck;

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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The methods of {@link java.util.concurrent.locks.Lock}, and what they do to their caller. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LockMethodContract extends Contract {

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

    @Simulated
    @Test
    @DisplayName("that stays taken is waited for as long as was said, and no longer")
    void waitsAsLongAsTold() throws Exception {
        String name = name();
        Holdfast client = client();
        client.lock(name).lock();
        Duration wait = Duration.ofMillis(700);
        for (DistributedLock lock : List.of(client.lock(name), client().lock(name))) {
            Actor bob = actor("bob");
            long start = now();
            assertThat(bob.gets(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)))
                    .isFalse();
            assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
        }
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
