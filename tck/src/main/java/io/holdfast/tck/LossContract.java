package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A holder that has lost its lock is told so, and never gets it back unasked. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LossContract extends Contract {

    private static final Duration BRIEF = Duration.ofMillis(800);

    @Test
    @DisplayName("whose lease ran out is not valid any more, and unlock() says so")
    void isTold() throws Exception {
        DistributedLock lock = client().lock(name());
        AtomicInteger told = new AtomicInteger();
        lock.lock(BRIEF);
        Lease lease = lock.lease();
        lease.onLost(lost -> told.incrementAndGet());
        assertThat(lease.isValid()).isTrue();
        until("it is told", SOON, () -> told.get() > 0);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).as("not held at all").isInstanceOf(IllegalMonitorStateException.class);
        assertThat(told).as("told once").hasValue(1);
    }

    @Test
    @DisplayName("is not re-entered: the next lock() of its thread is a new one, and the old hold still tells its loss")
    void isNotReentered() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        lock.lock(BRIEF);
        Lease lost = lock.lease();
        assertThat(other.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(lost.isValid()).isFalse();
        assertThat(lock.tryLock()).as("another client has it").isFalse();
        other.unlock();
        lock.lock();
        Lease held = lock.lease();
        assertThat(held.token()).isGreaterThan(lost.token());
        assertThat(held.isValid()).isTrue();
        assertThat(lost.isValid()).isFalse();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(held.isValid()).isFalse();
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(lock::unlock).as("the old hold").isInstanceOf(IllegalMonitorStateException.class);
    }

    @Essential
    @Test
    @DisplayName("that another client forced is noticed at the next renewal")
    void isNoticedWhenForced() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        Holdfast other = client();
        lock.lock();
        noticesItsLoss(lock, () -> assertThat(other.forceUnlock(name)).isTrue());
    }

    @Test
    @DisplayName("that the same client forced is noticed")
    void isNoticedWhenForcedHere() throws Exception {
        DistributedLock lock = client(KEPT).lock(name());
        lock.lock();
        noticesItsLoss(lock, () -> assertThat(lock.forceUnlock()).isTrue());
    }

    @Essential
    @Test
    @DisplayName("that the store forgot is noticed at the next renewal")
    void isNoticedWhenForgotten() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        lock.lock();
        noticesItsLoss(lock, () -> store().forget(name));
    }

    private void noticesItsLoss(DistributedLock lock, Actor.Step loss) throws Exception {
        Lease lease = lock.lease();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(lost -> told.incrementAndGet());
        loss.run();
        until("it is told", SOON, () -> told.get() == 1);
        assertThat(lease.isValid()).isFalse();
        throughout("it does not come back", KEPT.dividedBy(2), () -> !lock.isLocked() && !lease.isValid());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        assertThat(lock.lease().token()).isGreaterThan(lease.token());
        lock.unlock();
        assertThat(told).as("told once").hasValue(1);
    }

    @Essential
    @Test
    @DisplayName("with a lease of its own is noticed by unlock(), which leaves the new holder alone")
    void isNoticedByUnlock() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        Holdfast other = client();
        lock.lock(LONG);
        assertThat(other.forceUnlock(name)).isTrue();
        assertThat(other.lock(name).tryLock()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(other.lock(name).isLocked()).isTrue();
        other.lock(name).unlock();
    }
}
