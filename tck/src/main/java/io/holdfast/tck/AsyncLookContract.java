package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What can be asked without waiting for the answer. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class AsyncLookContract extends Contract {

    @Test
    @DisplayName("at a lock says what the waiting one says")
    void looksAtALock() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        DistributedLock lock = client.lock(name());
        DistributedLock seen = other.lock(name());
        long me = Thread.currentThread().getId();
        assertThat(await(seen.isLockedAsync())).isFalse();
        assertThat(await(seen.remainTimeToLiveAsync())).isEqualTo(-2);
        assertThat(await(seen.forceUnlockAsync())).isFalse();
        lock.lock();
        lock.lock();
        assertThat(await(seen.isLockedAsync())).isTrue();
        assertThat(await(seen.remainTimeToLiveAsync())).isBetween(LONG.toMillis() / 2, LONG.toMillis());
        assertThat(await(lock.isHeldByThreadAsync(me))).isTrue();
        assertThat(await(lock.isHeldByThreadAsync(me + 1))).isFalse();
        assertThat(await(seen.isHeldByThreadAsync(me))).isFalse();
        assertThat(await(lock.getHoldCountAsync())).isEqualTo(2);
        assertThat(await(lock.getHoldCountAsync(me))).isEqualTo(2);
        assertThat(await(seen.getHoldCountAsync())).isZero();
        LockState state = await(other.inspectAsync(name()));
        assertThat(state.holders()).hasSize(1);
        assertThat(await(other.listAsync(name()))).extracting(LockState::name).containsExactly(name());
        assertThat(await(seen.forceUnlockAsync())).isTrue();
        assertThat(await(seen.isLockedAsync())).isFalse();
    }

    @Test
    @DisplayName("at a multi-lock says what holds for all of its locks")
    void looksAtAMultiLock() throws Exception {
        Holdfast client = client();
        DistributedLock a = client.lock(name("a"));
        DistributedLock multi = Holdfast.multiLock(a, client.lock(name("b")));
        a.lock();
        assertThat(await(multi.isLockedAsync())).isFalse();
        assertThat(await(multi.remainTimeToLiveAsync())).isEqualTo(-2);
        multi.lock();
        assertThat(await(multi.isLockedAsync())).isTrue();
        assertThat(await(multi.getHoldCountAsync())).isEqualTo(1);
        assertThat(await(multi.remainTimeToLiveAsync())).isPositive();
        assertThat(await(multi.forceUnlockAsync())).isTrue();
        assertThat(await(multi.isLockedAsync())).isFalse();
    }

    @Test
    @DisplayName("at a semaphore says what the waiting one says, and takes permits in every way")
    void looksAtASemaphore() throws Exception {
        needs(SemaphoreStore.class);
        DistributedSemaphore semaphore = client().semaphore(name(), 5);
        DistributedSemaphore seen = client().semaphore(name(), 5);
        assertThat(await(semaphore.addPermitsAsync(1))).isEqualTo(6);
        assertThat(await(seen.getPermitsAsync())).isEqualTo(6);
        await(semaphore.acquireAsync(1, LONG));
        assertThat(await(semaphore.tryAcquireAsync(1))).isTrue();
        assertThat(await(semaphore.tryAcquireAsync(1, LONG, LONG))).isTrue();
        Lease lease = await(semaphore.acquireLeaseAsync(1, LONG));
        Lease other = await(semaphore.tryAcquireLeaseAsync(2, LONG, LONG)).orElseThrow();
        assertThat(await(semaphore.tryAcquireLeaseAsync(1, Duration.ZERO, LONG)))
                .isEmpty();
        assertThat(await(semaphore.tryAcquireAsync(1))).isFalse();
        assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isFalse();
        assertThat(await(seen.availablePermitsAsync())).isZero();
        assertThat(await(seen.acquiredPermitsAsync())).isEqualTo(6);
        assertThat(seen.acquiredPermits()).isEqualTo(6);
        assertThat(await(seen.inspectAsync()).holders()).hasSize(5);
        await(semaphore.releaseAsync(3));
        lease.close();
        other.close();
        assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isTrue();
        semaphore.release();
        assertThat(await(seen.acquiredPermitsAsync())).isZero();
    }

    @Test
    @DisplayName("at a latch says what the waiting one says")
    void looksAtALatch() throws Exception {
        needs(LatchStore.class);
        DistributedLatch latch = client().latch(name());
        assertThat(await(latch.getCountAsync())).isZero();
        assertThat(await(latch.trySetCountAsync(2))).isTrue();
        assertThat(await(latch.trySetCountAsync(3))).isFalse();
        assertThat(await(latch.getCountAsync())).isEqualTo(2);
        assertThatThrownBy(() -> latch.trySetCountAsync(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(await(latch.deleteAsync())).isTrue();
        assertThat(await(latch.deleteAsync())).isFalse();
    }

    @Test
    @DisplayName("fails when the client is closed, and never throws")
    void failsWhenClosed() {
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        client.close();
        for (Supplier<CompletableFuture<?>> look : List.<Supplier<CompletableFuture<?>>>of(
                lock::isLockedAsync,
                lock::remainTimeToLiveAsync,
                lock::forceUnlockAsync,
                () -> client.inspectAsync(name()),
                () -> client.listAsync(name()))) {
            CompletableFuture<?> looked = look.get();
            assertThatThrownBy(() -> await(looked)).isInstanceOf(ClientClosedException.class);
        }
    }
}
