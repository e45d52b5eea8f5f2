package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a lock lasts. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LeaseContract extends Contract {

    /** How much earlier than the store the holder gives up its lease: 1 % and 2 ms; and 2 ms of rounding. */
    private static final Duration MARGIN = SHORT.dividedBy(100).plusMillis(4);

    @Test
    @DisplayName("that was given ends by itself, not before its time and not long after")
    void endsByItself() throws Exception {
        String name = name();
        DistributedLock other = client().lock(name);
        long start = System.nanoTime();
        client(SHORT).lock(name).lock(SHORT);
        other.lock();
        assertThat(since(start)).isBetween(SHORT.minus(MARGIN), SHORT.plusSeconds(2));
        other.unlock();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Wait.class)
    @DisplayName("is what was asked for, or the watchdog's if nothing was")
    void isAsAskedFor(Wait way) throws Exception {
        DistributedLock lock = client(Duration.ofSeconds(40)).lock(name());
        Duration expected = way.hasLease() ? Duration.ofSeconds(20) : Duration.ofSeconds(40);
        way.untilHeld(
                lock,
                SOON,
                Duration.ofSeconds(20),
                () -> assertThat(Duration.ofMillis(lock.remainTimeToLive()))
                        .isBetween(expected.minusSeconds(10), expected));
    }

    @Test
    @DisplayName("that is handed to somebody who had to wait for it has all of its time")
    void isWholeAfterWaiting() throws Exception {
        String name = name();
        for (int i = 0; i < 5; i++) {
            DistributedLock held = client().lock(name);
            held.lock();
            CompletableFuture<Lease> waiting =
                    client(Duration.ofSeconds(40)).lock(name).acquireAsync();
            throughout("it waits", Duration.ofMillis(50), () -> !waiting.isDone());
            held.unlock();
            Lease lease = await(waiting);
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40));
            lease.close();
        }
    }

    @Test
    @DisplayName("of -1 means the watchdog's, in any unit")
    void ofMinusOne() throws Exception {
        DistributedLock lock = client(Duration.ofSeconds(40)).lock(name());
        for (TimeUnit unit : TimeUnit.values()) {
            lock.lock(-1, unit);
            assertThat(lock.remainTimeToLive()).as("in %s", unit).isBetween(30_000L, 40_000L);
            lock.unlock();
            assertThat(lock.tryLock(0, -1, unit)).isTrue();
            assertThat(lock.remainTimeToLive()).as("in %s", unit).isBetween(30_000L, 40_000L);
            lock.unlock();
        }
    }

    @Test
    @DisplayName("of the watchdog can be chosen for one lock")
    void ofOneLock() {
        DistributedLock lock = client().lock(name(), LockOptions.defaults().lease(Duration.ofSeconds(25)));
        lock.lock();
        assertThat(lock.remainTimeToLive()).isBetween(15_000L, 25_000L);
        lock.unlock();
    }

    @Test
    @DisplayName("of the watchdog lasts for as long as the lock is held")
    void isRenewed() throws Exception {
        String name = name();
        DistributedLock lock = client(SHORT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock();
        Lease lease = lock.lease();
        throughout("it is held", SHORT.multipliedBy(3), () -> lease.isValid() && !other.tryLock());
        lock.unlock();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    @DisplayName("nested in a watchdog's hold never shortens it")
    void nestedDoesNotShorten() throws Exception {
        String name = name();
        DistributedLock lock = client(SHORT).lock(name);
        DistributedLock other = client().lock(name);
        Duration nested = Duration.ofMillis(100);
        lock.lock();
        lock.lock(nested);
        throughout("it is held", SHORT.plusMillis(200), () -> !other.tryLock());
        assertThat(lock.tryLock(Duration.ZERO, nested)).isTrue();
        lock.unlock();
        lock.unlock();
        throughout("it is held", SHORT.plusMillis(200), () -> !other.tryLock());
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    @DisplayName("nested in a longer one never shortens it")
    void nestedDoesNotShortenALease() {
        DistributedLock lock = client().lock(name());
        lock.lock(LONG);
        lock.lock(SHORT);
        assertThat(lock.remainTimeToLive()).isGreaterThan(LONG.toMillis() / 2);
        assertThat(lock.lease().remaining()).isGreaterThan(LONG.dividedBy(2));
        lock.unlock();
        assertThat(lock.remainTimeToLive()).isGreaterThan(LONG.toMillis() / 2);
        lock.unlock();
    }

    @Test
    @DisplayName("nested in a shorter one makes it last as long")
    void nestedLengthens() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock(SHORT);
        lock.lock(LONG);
        until("it lasts", SOON, () -> lock.remainTimeToLive() > LONG.toMillis() / 2);
        throughout("it is held", SHORT.plusMillis(200), lock::isHeldByCurrentThread);
        lock.unlock();
        lock.unlock();
    }

    @Test
    @DisplayName("is kept by a watchdog's lock() nested in it until that is unlocked, and then ends by itself")
    void nestedWatchdogKeepsIt() throws Exception {
        String name = name();
        DistributedLock lock = client(SHORT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock(SHORT);
        lock.lock();
        Lease lease = lock.lease();
        throughout("it is held", SHORT.multipliedBy(3), () -> lease.isValid() && !other.tryLock());
        lock.unlock();
        assertThat(other.tryLock(SHORT.plusSeconds(2).toMillis(), TimeUnit.MILLISECONDS))
                .as("it has ended by itself")
                .isTrue();
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("that ran out has no part in the next lock() of that object, which the watchdog keeps")
    void doesNotOutlastItself() throws Exception {
        String name = name();
        DistributedLock lock = client(SHORT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock(Duration.ofMillis(200));
        until("it ran out", SOON, () -> !lock.isLocked());
        lock.lock();
        throughout("it is held", SHORT.multipliedBy(2), () -> !other.tryLock());
        lock.unlock();
    }

    @Test
    @DisplayName("is over for its holder before it is over for the store")
    void endsForTheHolderFirst() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        for (int millis = 20; millis <= 120; millis += 20) {
            Lease lease = lock.acquire(Duration.ofMillis(millis));
            Lease next = other.acquire();
            assertThat(lease.isValid()).as("the first, after %d ms", millis).isFalse();
            assertThat(lease.remaining()).isZero();
            next.close();
        }
    }

    @Test
    @DisplayName("has no more time left for its holder than for the store")
    void hasNoMoreTimeLeft() throws Exception {
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        try (Lease lease = lock.acquire(Duration.ofSeconds(20))) {
            long stored = lock.remainTimeToLive();
            assertThat(lease.remaining().toMillis()).isBetween(10_000L, stored);
        }
    }

    @Test
    @DisplayName("can be extended")
    void canBeExtended() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Lease lease = lock.acquire(SHORT);
        lease.extend(LONG);
        assertThat(lease.remaining()).isGreaterThan(LONG.dividedBy(2));
        assertThat(lock.remainTimeToLive()).isGreaterThan(LONG.toMillis() / 2);
        throughout("it is held", SHORT.plusMillis(200), () -> lease.isValid() && !other.tryLock());
        lease.close();
        assertThat(other.tryLock()).isTrue();
    }

    @Test
    @DisplayName("is not shortened by extending it")
    void isNotShortenedByExtending() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease lease = lock.acquire(LONG);
        lease.extend(Duration.ofMillis(50));
        assertThat(lease.remaining()).isGreaterThan(LONG.dividedBy(2));
        assertThat(lock.remainTimeToLive()).isGreaterThan(LONG.toMillis() / 2);
        lease.close();
    }

    @Test
    @DisplayName("that has ended can't be extended")
    void cannotBeExtendedAfterItsEnd() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease lease = lock.acquire(passingLease());
        until("it ran out", SOON, () -> !lease.isValid());
        assertThatThrownBy(() -> lease.extend(LONG)).isInstanceOf(LeaseLostException.class);
        until("it is free", SOON, () -> !lock.isLocked());
    }

    @Test
    @DisplayName("costs as many renewals after a thousand locks as when fresh")
    @Timeout(60)
    void costsTheSameRenewals() throws Exception {
        CountingStore counted = new CountingStore(store().newStore());
        Holdfast client = client(counted, SHORT);
        int fresh = renewalsOfOneHold(client.lock(name("fresh")), counted);
        DistributedLock lock = client.lock(name());
        for (int i = 0; i < 1_000; i++) {
            lock.lock();
            lock.unlock();
        }
        int worn = renewalsOfOneHold(lock, counted);
        assertThat(fresh).isPositive();
        assertThat(worn).isBetween(1, 2 * fresh + 2);
    }

    private static int renewalsOfOneHold(DistributedLock lock, CountingStore counted) throws Exception {
        lock.lock();
        int before = counted.renewals();
        throughout("it is held", SHORT.multipliedBy(2), lock::isHeldByCurrentThread);
        int after = counted.renewals();
        lock.unlock();
        return after - before;
    }
}
