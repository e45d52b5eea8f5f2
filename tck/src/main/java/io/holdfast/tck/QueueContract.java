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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock that is handed from thread to thread inside one client. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class QueueContract extends Contract {

    @Test
    @DisplayName("get a lock in the order in which they asked")
    void getItInOrder() throws Exception {
        DistributedLock lock = client().lock(name());
        List<Integer> order = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        lock.lock();
        for (int i = 0; i < 5; i++) {
            int number = i;
            Actor one = actor("waiter-" + i);
            all.add(one.starts(() -> {
                lock.lock();
                order.add(number);
                lock.unlock();
            }));
            until("waiter " + i + " waits", SOON, one::isWaiting);
        }
        lock.unlock();
        awaitAll(all);
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Simulated
    @Test
    @DisplayName("keep a lock that was handed on alive")
    void renewAfterHandOff() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        Actor alice = actor("alice");
        Actor bob = actor("bob");
        alice.does(lock::lock);
        Future<?> got = bob.starts(lock::lock);
        until("bob waits", SOON, bob::isWaiting);
        alice.does(lock::unlock);
        await(got);
        throughout("bob holds it", OUTLASTING, () -> !other.tryLock());
        bob.does(lock::unlock);
    }

    @Test
    @DisplayName("enter a lock again that they hold, though others wait for it")
    void reenterBeforeOthers() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        lock.lock();
        Actor bob = actor("bob");
        Actor carol = actor("carol");
        Future<?> here = bob.starts(() -> lock.withLock(() -> null));
        Future<?> there = carol.starts(() -> other.withLock(() -> null));
        until("both wait", SOON, () -> bob.isWaiting() && carol.isWaiting());
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(await(lock.tryLockAsync())).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(here.isDone() || there.isDone()).isFalse();
            lock.unlock();
        }
        await(here);
        await(there);
    }

    @Simulated
    @Test
    @DisplayName("get a whole lease with a lock that is handed on, and no more than that")
    void getAWholeLease() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Actor bob = actor("bob");
        for (Duration first : List.of(SHORT.multipliedBy(3), LONG)) {
            Lease held = lock.acquire(first);
            Future<Lease> handed = bob.begins(() -> lock.acquire(SHORT));
            until("bob waits", SOON, bob::isWaiting);
            if (!first.equals(LONG)) { // then less is left of it than bob wants
                until("it is nearly over", SOON, () -> held.remaining().compareTo(SHORT) < 0);
            }
            long start = now();
            held.close();
            Lease lease = await(handed);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isLessThanOrEqualTo(SHORT);
            Lease next = await(other.acquireAsync());
            assertThat(lease.isValid()).isFalse();
            assertThat(since(start)).isBetween(SHORT.minus(SHORT.dividedBy(10)), SHORT.plus(SLACK));
            next.close();
        }
    }

    @Simulated
    @Test
    @DisplayName("keep a lock that was handed on from one with a lease for as long as they want")
    void keepWhatHadALease() throws Exception {
        String name = name();
        DistributedLock lock = client(KEPT).lock(name);
        DistributedLock other = client().lock(name);
        Lease held = lock.acquire(KEPT);
        Actor bob = actor("bob");
        Future<?> got = bob.starts(lock::lock);
        until("bob waits", SOON, bob::isWaiting);
        held.close();
        await(got);
        throughout("bob holds it", OUTLASTING, () -> !other.tryLock());
        bob.does(lock::unlock);
        assertThat(other.tryLock()).isTrue();
    }

    @Simulated
    @Test
    @DisplayName("get a lock whose lease ran out in the hands of another, with a greater token")
    void getWhatRanOut() throws Exception {
        DistributedLock lock = client().lock(name());
        lock.lock(SHORT);
        Lease lost = lock.lease();
        Actor bob = actor("bob");
        Future<Long> got = bob.begins(() -> {
            lock.lock();
            return lock.lease().token();
        });
        assertThat(await(got)).isGreaterThan(lost.token());
        assertThat(lost.isValid()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(bob.gets(lock::isHeldByCurrentThread)).as("bob still has it").isTrue();
        assertThat(lock.isLocked()).isTrue();
        bob.does(lock::unlock);
    }

    @Simulated
    @Test
    @DisplayName("get a lock that was forced from another, which does not give back theirs")
    void getWhatWasForced() throws Exception {
        String name = name();
        Holdfast client = client(KEPT);
        for (Holdfast forcing : List.of(client, client())) {
            DistributedLock lock = client.lock(name);
            lock.lock();
            Lease lost = lock.lease();
            Actor bob = actor("bob");
            Future<Long> got = bob.begins(() -> {
                lock.lock();
                return lock.lease().token();
            });
            until("bob waits", SOON, bob::isWaiting);
            assertThat(forcing.forceUnlock(name)).isTrue();
            assertThat(await(got)).isGreaterThan(lost.token());
            assertThat(lost.isValid()).isFalse();
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            assertThat(bob.gets(lock::isHeldByCurrentThread))
                    .as("bob still has it")
                    .isTrue();
            bob.does(lock::unlock);
            assertThat(lock.isLocked()).isFalse();
        }
    }
}
