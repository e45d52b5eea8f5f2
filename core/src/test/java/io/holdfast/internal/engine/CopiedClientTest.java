package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two engines of one identity that have counted as far, as two copies of one process have, on one store. */
@DisplayName("Two copies of one client")
class CopiedClientTest {

    private static final long SECOND = 1_000_000_000L;

    private final ManualTime time = new ManualTime(0);
    private final LockStore store = new MemoryStore(new MemoryLocks(time), "memory");
    private final Engine one = time.engine(1, store);
    private final Engine copy = time.engine(1, store);

    @Test
    @DisplayName("never hold a lock at once, however many claims were made before the copy")
    void excludeEachOther() {
        for (int claims = 0; claims < 100; claims++) {
            DistributedLock lock = locks(one).lock("a", LockOptions.defaults());
            DistributedLock copied = locks(copy).lock("a", LockOptions.defaults());
            assertThat(lock.tryLock()).isTrue();
            long token = lock.lease().token();
            assertThat(copied.tryLock()).isFalse();
            lock.unlock();
            assertThat(copied.tryLock()).isTrue();
            assertThat(copied.lease().token()).isGreaterThan(token);
            copied.unlock();
        }
    }

    @Test
    @DisplayName("wait for each other in a fair lock's queue, and each gets it once")
    void waitForEachOther() {
        Engine other = time.engine(2, store);
        DistributedLock held = locks(other).lock("a", LockOptions.defaults().fair());
        assertThat(held.tryLock()).isTrue();
        CompletableFuture<Lease> first =
                locks(one).lock("a", LockOptions.defaults().fair()).acquireAsync();
        CompletableFuture<Lease> second =
                locks(copy).lock("a", LockOptions.defaults().fair()).acquireAsync();
        time.advance(SECOND);
        assertThat(other.inspect(Resource.lock("a")).waiters()).hasSize(2);
        held.unlock();
        time.advance(2 * SECOND);
        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        first.join().close();
        time.advance(2 * SECOND);
        assertThat(second.join().token()).isGreaterThan(first.join().token());
        second.join().close();
    }

    @Test
    @DisplayName("wait for each other's plain lock")
    void waitForAPlainLock() {
        Engine other = time.engine(2, store);
        DistributedLock held = locks(other).lock("a", LockOptions.defaults());
        assertThat(held.tryLock()).isTrue();
        CompletableFuture<Lease> first =
                locks(one).lock("a", LockOptions.defaults()).acquireAsync();
        CompletableFuture<Lease> second =
                locks(copy).lock("a", LockOptions.defaults()).acquireAsync();
        time.advance(SECOND);
        held.unlock();
        time.advance(2 * SECOND);
        assertThat(first.isDone()).isNotEqualTo(second.isDone());
        (first.isDone() ? first : second).join().close();
        time.advance(2 * SECOND);
        assertThat(first.join().token()).isNotEqualTo(second.join().token());
    }

    @Test
    @DisplayName("take permits of their own")
    void takePermitsOfTheirOwn() {
        assertThat(locks(one).semaphore("s", 1, LockOptions.defaults()).tryAcquire())
                .isTrue();
        assertThat(locks(copy).semaphore("s", 1, LockOptions.defaults()).tryAcquire())
                .isFalse();
    }

    @Test
    @DisplayName("add permits twice")
    void addPermits() {
        assertThat(locks(one).semaphore("s", 1, LockOptions.defaults()).addPermits(1))
                .isEqualTo(2);
        assertThat(locks(copy).semaphore("s", 1, LockOptions.defaults()).addPermits(1))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("count a latch down twice, and one of them sets it")
    void countDown() {
        DistributedLatch latch = locks(one).latch("l");
        DistributedLatch copied = locks(copy).latch("l");
        assertThat(latch.trySetCount(3)).isTrue();
        assertThat(copied.trySetCount(3)).isFalse();
        latch.countDown();
        copied.countDown();
        assertThat(latch.getCount()).isOne();
    }
}
