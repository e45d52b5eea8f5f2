package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a lock lasts. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LeaseContract extends Contract {

    /** How much earlier than the store the holder gives up its lease: 1 % and 2 ms; and 2 ms of rounding. */
    private static final Duration MARGIN = SHORT.dividedBy(100).plusMillis(4);

    @Essential
    @Test
    @DisplayName("that was given ends by itself, not before its time and not long after")
    void endsByItself() throws Exception {
        String name = name();
        DistributedLock other = client().lock(name);
        long start = System.nanoTime();
        client(SHORT).lock(name).lock(SHORT);
        other.lock();
        assertThat(since(start)).isBetween(SHORT.minus(MARGIN), SHORT.plus(SLACK));
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

    @Essential
    @Test
    @DisplayName("of the watchdog lasts for as long as the lock is held")
    void isRenewed() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        lock.lock();
        Lease lease = lock.lease();
        throughout("it is held", OUTLASTING, () -> lease.isValid() && !other.tryLock());
        lock.unlock();
        assertThat(other.tryLock()).isTrue();
    }

    @Essential
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

    @Essential
    @Test
    @DisplayName("can be extended")
    void canBeExtended() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Lease lease = lock.acquire(KEPT);
        lease.extend(LONG);
        assertThat(lease.remaining()).isGreaterThan(LONG.dividedBy(2));
        assertThat(lock.remainTimeToLive()).isGreaterThan(LONG.toMillis() / 2);
        throughout("it is held", OUTLASTING, () -> lease.isValid() && !other.tryLock());
        lease.close();
        assertThat(other.tryLock()).isTrue();
    }
}
