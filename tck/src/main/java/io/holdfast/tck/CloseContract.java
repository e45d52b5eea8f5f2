package io.holdfast.tck;

import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a client. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class CloseContract extends Contract {

    @Test
    @DisplayName("gives back what it holds, and tells the holders")
    void releases() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        AtomicInteger told = new AtomicInteger();
        DistributedLock lock = client.lock(name("thread"));
        lock.lock();
        lock.lock();
        Lease ofThread = lock.lease();
        Lease handle = client.lock(name("handle")).acquire();
        ofThread.onLost(lost -> told.incrementAndGet());
        handle.onLost(lost -> told.incrementAndGet());
        client.close();
        assertThat(other.lock(name("thread")).tryLock()).isTrue();
        assertThat(other.lock(name("handle")).tryLock()).isTrue();
        assertThat(ofThread.isValid()).isFalse();
        assertThat(handle.isValid()).isFalse();
        until("both holders are told", SOON, () -> told.get() == 2);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(handle::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("leaves a lock that is to be given back later, and tells no loss")
    void leavesWhatIsClosedLater() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        AtomicInteger told = new AtomicInteger();
        Lease lease = client.lock(name()).acquire();
        lease.onLost(lost -> told.incrementAndGet());
        lease.closeAfter(LONG);
        client.close();
        assertThat(other.lock(name()).remainTimeToLive())
                .isBetween(LONG.minusSeconds(20).toMillis(), LONG.toMillis());
        assertThat(other.lock(name()).tryLock()).isFalse();
        assertThat(told).hasValue(0);
        other.forceUnlock(name());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Wait.class)
    @DisplayName("fails those who wait for another client")
    void failsWaiters(Wait way) throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        other.lock(name()).lock();
        failsAWaiter(way, client, other);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = Wait.class,
            names = {"LOCK", "TRY_LOCK", "ACQUIRE", "LOCK_ASYNC"})
    @DisplayName("fails those who wait for another thread of this client")
    void failsLocalWaiters(Wait way) throws Exception {
        Holdfast client = client();
        client.lock(name()).lock();
        failsAWaiter(way, client, client());
    }

    private void failsAWaiter(Wait way, Holdfast client, Holdfast other) throws Exception {
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(() -> way.take(client.lock(name()), LONG, LONG));
        until("bob waits", SOON, bob::isWaiting);
        Thread.sleep(10); // in the store, too
        client.close();
        assertThatThrownBy(() -> await(waiting)).isInstanceOf(ClientClosedException.class);
        other.forceUnlock(name());
        assertThat(other.lock(name()).isLocked()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Wait.class)
    @DisplayName("makes every later acquisition fail")
    void failsLaterCalls(Wait way) {
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        client.close();
        assertThatThrownBy(() -> way.take(lock, SOON, LONG)).isInstanceOf(ClientClosedException.class);
    }

    @Test
    @DisplayName("makes every later question fail")
    void failsLaterQuestions() {
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        client.close();
        assertThatThrownBy(lock::tryLock).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(lock::isLocked).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(lock::remainTimeToLive).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(lock::forceUnlock).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.inspect(name())).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.list(name())).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.forceUnlock(name())).isInstanceOf(ClientClosedException.class);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    @DisplayName("fails futures, and does not throw at who asks for one")
    void failsFutures() {
        Holdfast client = client();
        DistributedLock lock = client.lock(name());
        client.close();
        List<CompletableFuture<?>> all = List.of(
                lock.lockAsync(),
                lock.lockAsync(1),
                lock.lockAsync(1, TimeUnit.SECONDS),
                lock.tryLockAsync(),
                lock.tryLockAsync(1, TimeUnit.SECONDS),
                lock.acquireAsync(),
                lock.tryAcquireAsync(Duration.ZERO));
        for (CompletableFuture<?> one : all) {
            assertThatThrownBy(() -> await(one)).isInstanceOf(ClientClosedException.class);
        }
    }

    @Test
    @DisplayName("again does nothing, and leaves other clients alone")
    void again() {
        Holdfast client = client();
        Holdfast other = client();
        other.lock(name()).lock();
        client.close();
        client.close();
        assertThat(other.lock(name()).isHeldByCurrentThread()).isTrue();
        assertThat(other.lock(name()).isLocked()).isTrue();
        other.lock(name()).unlock();
    }

    @Test
    @DisplayName("while its threads take and give back leaves every lock free")
    void whileBusy() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock lock = client.lock(name("busy-" + i % 2));
            all.add(actor("busy-" + i).starts(() -> {
                while (true) {
                    lock.lock();
                    lock.unlock();
                }
            }));
        }
        Thread.sleep(50);
        client.close();
        for (Future<?> one : all) {
            assertThatThrownBy(() -> await(one)).isInstanceOfAny(ClientClosedException.class, LeaseLostException.class);
        }
        until("all is free", SOON, () -> other.list(name("busy-")).isEmpty());
    }

    @Test
    @DisplayName("by a thread that is interrupted gives everything back, too")
    void byAnInterruptedThread() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        client.lock(name()).lock();
        boolean kept = actor("bob").gets(() -> {
            Thread.currentThread().interrupt();
            client.close();
            return Thread.interrupted();
        });
        assertThat(kept).as("the interrupt flag is kept").isTrue();
        assertThat(other.lock(name()).tryLock()).isTrue();
    }

    @Test
    @DisplayName("works from its own callbacks")
    void fromACallback() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        client.lock(name("held")).lock();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        client.lock(name()).acquire(Duration.ofMillis(50)).onLost(lost -> {
            client.close();
            closed.complete(null);
        });
        await(closed);
        assertThat(other.lock(name("held")).tryLock()).isTrue();
    }

    @Test
    @DisplayName("by several threads at once is one close, and each returns when it is done")
    void byManyThreads() throws Exception {
        Holdfast client = client();
        Holdfast other = client();
        client.lock(name()).lock();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(actor("closer-" + i).starts(client::close));
        }
        awaitAll(all);
        assertThat(other.lock(name()).tryLock()).isTrue();
    }
}
