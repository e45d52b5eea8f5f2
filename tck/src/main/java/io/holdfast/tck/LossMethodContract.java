package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every method that can tell a loss tells it. */
@Simulated
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LossMethodContract extends Contract {

    private static final Duration BRIEF = Duration.ofMillis(800);

    @Test
    @DisplayName("tells a handle that closes it, once")
    void isToldToAHandle() throws Exception {
        DistributedLock lock = client().lock(name());
        Lease lease = lock.acquire(BRIEF);
        until("it ran out", SOON, () -> !lease.isValid());
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        lease.close();
        Lease second = lock.acquire(BRIEF);
        until("it ran out", SOON, () -> !second.isValid());
        assertThatThrownBy(() -> await(second.closeAsync())).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("tells an owner id that gives it back")
    void isToldToAnOwnerId() throws Exception {
        DistributedLock lock = client().lock(name());
        await(lock.lockAsync(BRIEF.toMillis(), TimeUnit.MILLISECONDS, 1));
        until("it ran out", SOON, () -> !lock.isHeldByThread(1));
        assertThatThrownBy(() -> await(lock.unlockAsync(1))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName(
            "is told late where the store no longer has the lock: its thread re-enters, and a new client gets it meanwhile")
    void isToldLate() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock();
        assertThat(client().forceUnlock(name())).isTrue();
        assertThat(lock.tryLock()).as("a re-entry asks nobody").isTrue();
        DistributedLock other = client().lock(name());
        assertThat(other.tryLock()).isTrue();
        other.unlock();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(lock.tryLock()).as("anew").isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("tells each of those who asked once, whatever the others throw; and those who ask later at once")
    void tellsEverybody() throws Exception {
        Lease lease = client().lock(name()).acquire(BRIEF);
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        lease.onLost(lost -> {
            first.incrementAndGet();
            throw new IllegalStateException("thrown by a test's onLost, on purpose");
        });
        lease.onLost(lost -> second.incrementAndGet());
        until("both are told", SOON, () -> first.get() == 1 && second.get() == 1);
        lease.onLost(lost -> later.incrementAndGet());
        until("who asks later is told", SOON, () -> later.get() == 1);
        throughout("nobody is told twice", BRIEF, () -> first.get() + second.get() + later.get() == 3);
    }

    @Test
    @DisplayName("is no lock that was given back in time")
    void isNotToldAfterClose() throws Exception {
        DistributedLock lock = client().lock(name());
        AtomicInteger told = new AtomicInteger();
        Lease lease = lock.acquire(BRIEF);
        lease.onLost(lost -> told.incrementAndGet());
        lease.close();
        lease.onLost(lost -> told.incrementAndGet());
        throughout("nothing is told", BRIEF.multipliedBy(2), () -> told.get() == 0);
    }

    @Test
    @DisplayName("is told by every nested unlock(), and the next lock() starts anew with a greater token")
    void isToldToNestedHolds() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock(BRIEF);
        lock.lock(BRIEF);
        Lease lost = lock.lease();
        until("it ran out", SOON, () -> !lost.isValid());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.lease().token()).isGreaterThan(lost.token());
        assertThat(lost.isValid()).isFalse();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("does not hide what the body of withLock threw, and comes with it")
    void doesNotHideTheBodysFailure() {
        String name = name();
        DistributedLock lock = client().lock(name);
        Holdfast other = client();
        assertThatThrownBy(() -> lock.withLock(() -> {
                    other.forceUnlock(name);
                    throw new IOException("of the body");
                }))
                .isInstanceOf(IOException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasExactlyElementsOfTypes(LeaseLostException.class));
        assertThatThrownBy(() -> lock.withLock(() -> other.forceUnlock(name))).isInstanceOf(LeaseLostException.class);
    }
}
