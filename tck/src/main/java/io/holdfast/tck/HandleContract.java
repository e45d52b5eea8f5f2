package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Locks that are owned by a handle. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class HandleContract extends Contract {

    @Test
    @DisplayName("owns the lock, and the thread that asked for it does not")
    void ownsTheLock() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        try (Lease lease = lock.acquire()) {
            assertThat(lease.name()).isEqualTo(name);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isPositive();
            assertThat(lock.isLocked()).isTrue();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.getHoldCount()).isZero();
            assertThat(lock.tryLock()).isFalse();
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("can be closed by any thread")
    void goesFromThreadToThread() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease lease = actor("alice").gets(() -> lock.acquire());
        actor("bob").does(lease::close);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("excludes another one of the same thread")
    void excludesAnother() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease first = lock.acquire();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        Actor bob = actor("bob");
        Future<Lease> second = bob.begins(() -> lock.acquire());
        until("bob waits", SOON, bob::isWaiting);
        throughout("bob waits", Duration.ofMillis(50), () -> !second.isDone());
        first.close();
        await(second).close();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("is closed once: closing it again does not touch who came after")
    void isClosedOnce() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease first = lock.acquire();
        first.close();
        Lease second = lock.acquire();
        first.close();
        await(first.closeAsync());
        assertThat(second.isValid()).isTrue();
        assertThat(lock.isLocked()).isTrue();
        second.close();
    }

    @Test
    @DisplayName("can be closed without waiting")
    void isClosedAsynchronously() throws Exception {
        String name = name();
        Lease lease = client().lock(name).acquire();
        CompletableFuture<Void> closed = lease.closeAsync();
        await(closed);
        assertThat(lease.isValid()).isFalse();
        assertThat(client().lock(name).tryLock()).isTrue();
    }

    @Simulated
    @Test
    @DisplayName("is not given while another client has the lock, for as long as was said")
    void isNotGivenWhileHeld() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        lock.lock();
        long start = now();
        assertThat(other.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(other.tryAcquire(Duration.ofSeconds(-1))).isEmpty();
        assertThat(other.tryAcquire(Duration.ZERO, LONG)).isEmpty();
        assertThat(since(start)).isLessThan(SLACK);
        Duration wait = Duration.ofMillis(700);
        start = now();
        assertThat(actor("bob").gets(() -> other.tryAcquire(wait))).isEmpty();
        assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
        start = now();
        assertThat(await(other.tryAcquireAsync(wait))).isEmpty();
        assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
    }

    @Test
    @DisplayName("is given back later if it is closed for a later time, and not before")
    void isClosedLater() throws Exception {
        Holdfast client = client();
        DistributedLock other = client().lock(name());
        Lease lease = client.lock(name()).acquire();
        long start = now();
        lease.closeAfter(Duration.ofMillis(700));
        assertThat(lease.isValid()).isTrue();
        until("it is given back", SOON, () -> !other.isLocked());
        assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(690));
        assertThat(lease.isValid()).isFalse();
        Lease closed = client.lock(name()).acquire();
        closed.closeAfter(LONG);
        closed.close();
        assertThat(other.isLocked()).isFalse();
        closed.closeAfter(LONG);
        assertThat(other.isLocked()).isFalse();
    }

    @Test
    @DisplayName("that is asked for without waiting comes when the lock is free")
    void comesWhenFree() throws Exception {
        String name = name();
        Holdfast client = client();
        for (Holdfast other : List.of(client, client())) {
            Lease first = client.lock(name).acquire();
            CompletableFuture<Lease> second = other.lock(name).acquireAsync();
            CompletableFuture<Optional<Lease>> third = other.lock(name).tryAcquireAsync(SOON, LONG);
            throughout("they wait", Duration.ofMillis(50), () -> !second.isDone() && !third.isDone());
            first.close();
            Lease got = await(second);
            assertThat(got.token()).isGreaterThan(first.token());
            assertThat(third).isNotDone();
            got.close();
            Lease last = await(third).orElseThrow();
            assertThat(last.token()).isGreaterThan(got.token());
            last.close();
        }
    }

    @Test
    @DisplayName("of the current thread's lock gives it back, however often it was entered")
    void ofTheCurrentThread() {
        String name = name();
        DistributedLock lock = client().lock(name);
        assertThatThrownBy(lock::lease).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        Lease lease = lock.lease();
        lock.lock();
        lock.lock();
        assertThat(lock.lease().token()).isEqualTo(lease.token());
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.isValid()).isTrue();
        lease.close();
        assertThat(lease.isValid()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(client().lock(name).tryLock()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    @DisplayName("of the current thread's lock ends with its last unlock")
    void endsWithTheLastUnlock() {
        DistributedLock lock = client().lock(name());
        lock.lock();
        Lease lease = lock.lease();
        lock.lock();
        lock.unlock();
        assertThat(lease.isValid()).isTrue();
        lock.unlock();
        assertThat(lease.isValid()).isFalse();
        lock.lock();
        assertThat(lease.isValid()).isFalse();
        assertThat(lock.lease().token()).isGreaterThan(lease.token());
        lease.close();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }
}
