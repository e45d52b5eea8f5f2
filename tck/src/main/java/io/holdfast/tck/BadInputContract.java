package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What comes of times and addresses that make no sense. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class BadInputContract extends Contract {

    private static final Duration YEAR = Duration.ofDays(365);

    private static final List<Duration> TOO_SHORT = List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(999_999),
            Duration.ofMillis(-1),
            Duration.ofSeconds(-1),
            Duration.ofSeconds(Long.MIN_VALUE));

    @Test
    @DisplayName("as a lease of nothing, of less, or of under a millisecond is refused before the store is asked")
    void asAShortLease() throws Exception {
        CountingStore counted = new CountingStore(store().newStore());
        Holdfast client = client(counted, LONG);
        DistributedLock lock = client.lock(name());
        for (Duration lease : TOO_SHORT) {
            refused(() -> lock.lock(lease));
            refused(() -> lock.tryLock(Duration.ZERO, lease));
            refused(() -> lock.acquire(lease));
            refused(() -> lock.tryAcquire(Duration.ZERO, lease));
            refused(() -> LockOptions.defaults().lease(lease));
            refused(() -> store().newClient().lease(lease));
            refused(() -> store().newClient().timeout(lease));
        }
        for (long lease : new long[] {0, -2, Long.MIN_VALUE}) {
            refused(() -> lock.lock(lease, TimeUnit.SECONDS));
            refused(() -> lock.lockInterruptibly(lease, TimeUnit.SECONDS));
            refused(() -> lock.tryLock(1, lease, TimeUnit.SECONDS));
            refused(() -> lock.lockAsync(lease, TimeUnit.SECONDS));
            refused(() -> lock.lockAsync(lease, TimeUnit.SECONDS, 1));
            refused(() -> lock.tryLockAsync(1, lease, TimeUnit.SECONDS));
            refused(() -> lock.tryLockAsync(1, lease, TimeUnit.SECONDS, 1));
        }
        refused(() -> lock.lock(999, TimeUnit.MICROSECONDS));
        refused(() -> LockOptions.defaults().lease(Duration.ofMillis(99)));
        refused(() -> store().newClient().lease(Duration.ofMillis(99)));
        assertThat(counted.commands()).isZero();
        Lease held = lock.acquire();
        refused(() -> held.extend(Duration.ZERO));
        refused(() -> held.extend(Duration.ofSeconds(-1)));
        held.close();
    }

    /** Whether it is thrown or comes through the future. */
    private static void refused(Callable<?> call) {
        assertThatThrownBy(() -> {
                    if (call.call() instanceof Future<?> future) {
                        await(future);
                    }
                })
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void refused(Actor.Step step) {
        assertThatThrownBy(step::run).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("as a lease for ever lasts for a year at most")
    void asALongLease() throws Exception {
        Holdfast client = client();
        List<Actor.Step> forEver = List.of(
                () -> client.lock(name()).lock(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)),
                () -> client.lock(name()).lock(Long.MAX_VALUE, TimeUnit.DAYS),
                () -> client.lock(name()).lock(Long.MAX_VALUE, TimeUnit.NANOSECONDS),
                () -> client.lock(name()).tryLock(Long.MAX_VALUE, Long.MAX_VALUE, TimeUnit.MILLISECONDS),
                () -> client.lock(name()).tryLock(Duration.ofSeconds(Long.MAX_VALUE), YEAR.multipliedBy(1_000)));
        for (Actor.Step step : forEver) {
            step.run();
            DistributedLock lock = client.lock(name());
            assertThat(Duration.ofMillis(lock.remainTimeToLive())).isBetween(YEAR.minusDays(1), YEAR);
            assertThat(lock.lease().isValid()).isTrue();
            assertThat(lock.lease().remaining()).isBetween(YEAR.minusDays(30), YEAR);
            lock.lease().extend(Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(Duration.ofMillis(lock.remainTimeToLive())).isBetween(YEAR.minusDays(1), YEAR);
            lock.unlock();
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    @DisplayName("as a lease of a millisecond ends by itself")
    void asALeaseOfAMillisecond() throws Exception {
        DistributedLock lock = client().lock(name());
        try {
            lock.lock(1, TimeUnit.MILLISECONDS);
        } catch (StoreUnavailableException e) {
            // The store takes longer for its answers, which is no reason to leave anything behind.
            assertThat(e).hasMessageContaining("took longer than its lease");
        }
        until("it ends", SOON, () -> !lock.isLocked());
    }

    @Test
    @DisplayName("as a wait for ever waits until the lock is free")
    void asALongWait() throws Exception {
        String name = name();
        DistributedLock held = client().lock(name);
        DistributedLock lock = client().lock(name);
        held.lock();
        Actor bob = actor("bob");
        Future<Boolean> got = bob.begins(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)
                && lock.tryLock(Long.MAX_VALUE, -1, TimeUnit.NANOSECONDS)
                && lock.tryLock(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999), LONG));
        until("bob waits", SOON, bob::isWaiting);
        throughout("bob waits", Duration.ofMillis(50), () -> !got.isDone());
        held.unlock();
        assertThat(await(got)).isTrue();
    }

    @Test
    @DisplayName("as a wait of less than nothing does not wait")
    void asANegativeWait() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isTrue();
        for (long wait : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(other.tryLock(wait, TimeUnit.DAYS)).isFalse();
            assertThat(other.tryLock(wait, 1, TimeUnit.SECONDS)).isFalse();
            assertThat(await(other.tryLockAsync(wait, TimeUnit.DAYS))).isFalse();
        }
        assertThat(other.tryLock(Duration.ofSeconds(Long.MIN_VALUE), LONG)).isFalse();
        assertThat(other.tryAcquire(Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
    }

    @Test
    @DisplayName("as no address, or as two, is refused")
    void asNoAddress() {
        assertThatThrownBy(() -> Holdfast.builder().build()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() ->
                        store().newClient().store(openStore()).uri("memory:").build())
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("as a client's name is refused")
    void asAClientName() {
        for (String wrong : List.of("", " ", "a b", "a\nb", "\u00e9", "x".repeat(129))) {
            refused(() -> store().newClient().clientName(wrong));
        }
    }
}
