package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link LockOptions#nonReentrant()}. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class NonReentrantContract extends Contract {

    private static final String REFUSAL = "is not re-entrant and is held by the same owner";

    private static LockOptions options(String kind) {
        LockOptions once = LockOptions.defaults().nonReentrant();
        return kind.equals("fair") ? once.fair() : once;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"plain", "fair"})
    @DisplayName("tells its holder that asks again so, in every way to ask, and stays held once")
    void refusesItsHolder(String kind) throws Exception {
        Holdfast client = client();
        DistributedLock lock = client.lock(name(), options(kind));
        lock.lock();
        for (Actor.Step again : List.<Actor.Step>of(
                lock::lock,
                lock::lockInterruptibly,
                lock::tryLock,
                () -> lock.lock(LONG),
                () -> lock.tryLock(1, TimeUnit.SECONDS),
                () -> lock.tryLock(LONG, LONG),
                () -> client.lock(name(), options(kind)).lock(),
                () -> await(lock.lockAsync()),
                () -> await(lock.tryLockAsync()),
                () -> await(lock.tryLockAsync(1, TimeUnit.SECONDS)))) {
            assertThatThrownBy(again::run)
                    .isInstanceOf(HoldfastException.class)
                    .hasMessageContaining(REFUSAL)
                    .hasMessageContaining(name());
        }
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        Onlooker.of(client, name()).seesNobody();
        lock.lock();
        lock.unlock();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"plain", "fair"})
    @DisplayName("is asked for by other threads and handles as ever")
    void servesOthers(String kind) throws Exception {
        DistributedLock lock = client().lock(name(), options(kind));
        lock.lock();
        assertThat(actor("bob").gets(() -> lock.tryLock())).isFalse();
        CompletableFuture<Lease> handle = lock.acquireAsync();
        lock.unlock();
        try (Lease held = await(handle)) {
            assertThat(held.isValid()).isTrue();
            assertThat(lock.tryLock())
                    .as("a handle has no owner that could ask again")
                    .isFalse();
            assertThat(lock.tryAcquire(Duration.ofMillis(1))).isEmpty();
        }
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName(
            "serves two requests of one owner id one after the other, where the second came before the first was granted")
    void servesAnOwnerTwice() throws Exception {
        DistributedLock lock = client().lock(name(), options("plain"));
        Lease other = client().lock(name()).acquire();
        CompletableFuture<Boolean> first = lock.tryLockAsync(SOON.toMillis(), -1, TimeUnit.MILLISECONDS, 7);
        CompletableFuture<Boolean> second = lock.tryLockAsync(300, -1, TimeUnit.MILLISECONDS, 7);
        other.close();
        assertThat(await(first)).isTrue();
        second.handle((had, failure) -> failure != null || !had).join();
        assertThat(await(lock.getHoldCountAsync(7))).isEqualTo(1);
        await(lock.unlockAsync(7));
        Onlooker.of(client(), name()).seesNobody();
    }

    @Test
    @DisplayName("can be part of a read/write lock, whose sides are two locks, and of a multi-lock, which is as it is")
    void isPartOfOthers() throws Exception {
        Holdfast client = client();
        DistributedReadWriteLock both = client.readWriteLock(name(), options("plain"));
        both.writeLock().lock();
        both.readLock().lock();
        assertThatThrownBy(both.readLock()::lock).hasMessageContaining(REFUSAL);
        assertThatThrownBy(both.writeLock()::lock).hasMessageContaining(REFUSAL);
        both.writeLock().unlock();
        both.readLock().unlock();
        DistributedLock multi = Holdfast.multiLock(client.lock(name("a")), client.lock(name("b"), options("plain")));
        multi.lock();
        assertThatThrownBy(multi::lock).hasMessageContaining(REFUSAL);
        assertThatThrownBy(multi::tryLock).hasMessageContaining(REFUSAL);
        assertThat(client.lock(name("a")).getHoldCount()).isEqualTo(1);
        multi.unlock();
        for (String one : List.of(name(), name("a"), name("b"))) {
            Onlooker.of(client, one).seesNobody();
        }
    }
}
