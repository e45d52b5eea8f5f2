package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.LockOptions;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("On a store that has no queue and tells of nothing,")
class MandatoryStoreTest {

    private static final LockOptions OPTIONS = LockOptions.defaults();

    private final ManualTime time = new ManualTime(0);
    private final MemoryStore memory = new MemoryStore(new MemoryLocks(time), "memory");
    private int claims;

    private final class Mandatory extends ForwardingStore {

        Mandatory() {
            super(memory.another());
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            claims++;
            assertThat(claim.policy()).isEqualTo(QueuePolicy.BARGES);
            assertThat(claim.revocable()).isFalse();
            return super.claim(claim);
        }

        @Override
        public Subscription watch(Resource resource, Runnable changed) {
            return () -> {};
        }

        @Override
        public <T> @Nullable T capability(Class<T> type) {
            return null;
        }
    }

    private final Engine one = time.engine(1, new Mandatory());
    private final Engine other = time.engine(2, new Mandatory());

    @Test
    @DisplayName("a plain lock, a reader and a writer that wait get the lock within a second of its release")
    void checkAgain() {
        List<DistributedLock> waiting = List.of(
                locks(other).lock("a", OPTIONS),
                locks(other).readWriteLock("a", OPTIONS).readLock(),
                locks(other).readWriteLock("a", OPTIONS).writeLock());
        for (DistributedLock lock : waiting) {
            DistributedLock held = locks(one).lock("a", OPTIONS);
            held.lock();
            CompletableFuture<Void> had = lock.lockAsync(7);
            time.advance(10 * Tuning.RECHECK_NANOS);
            assertThat(had).isNotDone();
            held.unlock();
            time.advance(Tuning.RECHECK_NANOS);
            assertThat(had).isCompleted();
            lock.unlockAsync(7).join();
        }
        time.advance(Tuning.RECHECK_NANOS);
        assertThat(one.inUse()).isZero();
        assertThat(other.inUse()).isZero();
    }

    @Test
    @DisplayName("what it can't do is refused at once, without asking it, and the message says what is missing")
    void refuses() {
        isRefused("no queue", () -> locks(one).lock("a", OPTIONS.fair()).lock());
        isRefused(
                "no queue",
                () -> locks(one).readWriteLock("a", OPTIONS.fair()).readLock().tryLock());
        isRefused("no semaphores", () -> locks(one).semaphore("a", 2, OPTIONS).acquire());
        isRefused("no semaphores", () -> locks(one).semaphore("a", 2, OPTIONS).availablePermits());
        isRefused("no semaphores", () -> locks(one).semaphore("a", 2, OPTIONS).addPermits(1));
        isRefused("no latches", () -> locks(one).latch("a").trySetCount(1));
        isRefused("no latches", () -> locks(one).latch("a").await());
        assertThat(claims).isZero();
        assertThat(one.inUse()).isZero();
    }

    private static void isRefused(String why, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining(why);
    }

    @Test
    @DisplayName("no lock lingers, since another client could not ask for it")
    void doesNotLinger() {
        DistributedLock lock = locks(one).lock("a", OPTIONS.linger(Duration.ofMinutes(1)));
        lock.lock();
        lock.unlock();
        assertThat(locks(other).lock("a", OPTIONS).tryLock()).isTrue();
    }
}
