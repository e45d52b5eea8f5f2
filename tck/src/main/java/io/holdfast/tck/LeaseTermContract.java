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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The terms of a lease: what was asked for, nested leases, extensions. */
@Simulated
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LeaseTermContract extends Contract {

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
    @DisplayName("nested in a watchdog's hold never shortens it")
    void nestedDoesNotShorten() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        Duration nested = Duration.ofMillis(100);
        lock.lock();
        lock.lock(nested);
        throughout("it is held", OUTLASTING, () -> !other.tryLock());
        assertThat(lock.tryLock(Duration.ZERO, nested)).isTrue();
        lock.unlock();
        lock.unlock();
        throughout("it is held", OUTLASTING, () -> !other.tryLock());
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
        lock.lock(KEPT);
        lock.lock(LONG);
        until("it lasts", SOON, () -> lock.remainTimeToLive() > LONG.toMillis() / 2);
        throughout("it is held", OUTLASTING, lock::isHeldByCurrentThread);
        lock.unlock();
        lock.unlock();
    }

    @Test
    @DisplayName("is kept by a watchdog's lock() nested in it until that is unlocked, and then ends by itself")
    void nestedWatchdogKeepsIt() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock(KEPT);
        lock.lock();
        Lease lease = lock.lease();
        throughout("it is held", OUTLASTING, () -> lease.isValid() && !other.tryLock());
        lock.unlock();
        assertThat(await(other.tryLockAsync(KEPT.plus(SLACK).toMillis(), TimeUnit.MILLISECONDS)))
                .as("it has ended by itself")
                .isTrue();
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("that ran out has no part in the next lock() of that object, which the watchdog keeps")
    void doesNotOutlastItself() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock(Duration.ofMillis(200));
        until("it ran out", SOON, () -> !lock.isLocked());
        lock.lock();
        throughout("it is held", OUTLASTING, () -> !other.tryLock());
        lock.unlock();
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
        CountingStore counted = new CountingStore(newStore());
        Holdfast client = client(counted, KEPT);
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
        throughout("it is held", OUTLASTING, lock::isHeldByCurrentThread);
        int after = counted.renewals();
        lock.unlock();
        return after - before;
    }
}
