package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.spi.QueueingStore;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock that stays with its client for a while after it was last needed. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LingerContract extends Contract {

    private static final LockOptions LINGERING = LockOptions.defaults().linger(Duration.ofSeconds(30));

    private final String name = name();

    @BeforeEach
    final void needsRevocation() {
        needs(QueueingStore.class);
    }

    private static void takeAndGiveBack(DistributedLock lock) {
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName("is taken again without the store, each time with a greater token")
    void isTakenUp() throws Exception {
        CountingStore counting = new CountingStore(store().newStore());
        DistributedLock lock = client(counting, LONG).lock(name, LINGERING);
        lock.lock();
        long token = lock.lease().token();
        lock.unlock();
        int commands = counting.commands();
        for (int i = 0; i < 500; i++) {
            lock.lock();
            assertThat(lock.lease().token()).isGreaterThan(token);
            token = lock.lease().token();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
        assertThat(counting.commands() - commands).isZero();
        actor("another thread").does(() -> takeAndGiveBack(lock));
        assertThat(counting.commands() - commands).isZero();
    }

    @Essential
    @Test
    @DisplayName("goes to another client that asks at once, with a greater token")
    void goesToOthers() throws Exception {
        DistributedLock lock = client().lock(name, LINGERING);
        lock.lock();
        long token = lock.lease().token();
        lock.unlock();
        DistributedLock other = client().lock(name);
        long start = System.nanoTime();
        assertThat(other.tryLock(20, TimeUnit.SECONDS)).isTrue();
        // Also if the first message is lost: waiters ask every second.
        assertThat(since(start)).isLessThan(Duration.ofSeconds(5).plus(SLACK));
        assertThat(other.lease().token()).isGreaterThan(token);
        assertThat(lock.tryLock()).isFalse();
        other.unlock();
        takeAndGiveBack(lock);
    }

    @Test
    @DisplayName("goes to a fair waiter and to a reader of another client, and of the same one")
    void goesToTheFamily() throws Exception {
        Holdfast client = client();
        DistributedLock lock = client.lock(name, LINGERING);
        for (Holdfast asking : new Holdfast[] {client(), client}) {
            for (DistributedLock other : new DistributedLock[] {
                asking.fairLock(name),
                asking.readWriteLock(name).readLock(),
                asking.lock(name, LockOptions.defaults().lease(Duration.ofSeconds(50)))
            }) {
                takeAndGiveBack(lock);
                assertThat(other.tryLock(20, TimeUnit.SECONDS)).as("%s", other).isTrue();
                other.unlock();
            }
        }
    }

    @Essential
    @Test
    @DisplayName("is held by one at a time though it lingers in several clients")
    void excludes() throws Exception {
        RacyCounter counter = new RacyCounter();
        AtomicInteger counted = new AtomicInteger();
        int clients = 3;
        int rounds = 200;
        long end = System.nanoTime() + SOON.toNanos(); // a store that has to look for calls takes longer for each
        Future<?>[] all = new Future<?>[clients * 2];
        for (int i = 0; i < all.length; i += 2) {
            DistributedLock lock = client().lock(name, LINGERING);
            for (int j = 0; j < 2; j++) {
                all[i + j] = actor("counter-" + i + "-" + j).starts(() -> {
                    for (int round = 0; round < rounds && System.nanoTime() - end < 0; round++) {
                        lock.lock();
                        counter.increment();
                        counted.incrementAndGet();
                        lock.unlock();
                    }
                });
            }
        }
        for (Future<?> one : all) {
            one.get(25, TimeUnit.SECONDS);
        }
        assertThat(counter.value()).isEqualTo(counted.get()).isGreaterThanOrEqualTo(all.length);
    }

    @Test
    @DisplayName("is given back when its time is over, when its client is closed, and when its lease ends")
    void isGivenBack() throws Exception {
        Holdfast onlooker = client();
        takeAndGiveBack(client().lock(name, LockOptions.defaults().linger(Duration.ofMillis(200))));
        until("its time is over", SOON, () -> !onlooker.inspect(name).isLocked());

        Holdfast closing = client();
        takeAndGiveBack(closing.lock(name, LINGERING));
        assertThat(onlooker.inspect(name).isLocked()).isTrue();
        closing.close();
        until("its client is closed", SOON, () -> !onlooker.inspect(name).isLocked());

        takeAndGiveBack(client(Duration.ofMillis(400)).lock(name, LINGERING));
        until("its lease ends", SOON, () -> !onlooker.inspect(name).isLocked());
    }

    @Test
    @DisplayName("is not believed in after it was taken away")
    void isTakenAway() throws Exception {
        Holdfast client = client(Duration.ofSeconds(1));
        DistributedLock lock = client.lock(name, LINGERING);
        takeAndGiveBack(lock);
        store().forget(name);
        DistributedLock other = client().lock(name);
        assertThat(other.tryLock(20, TimeUnit.SECONDS)).isTrue();
        until("it is noticed", SOON, () -> {
            if (!lock.tryLock()) {
                return true;
            }
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException lost) {
                return true;
            }
            return false;
        });
        other.unlock();
    }
}
