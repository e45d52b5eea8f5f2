package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The methods of a semaphore, and every way in which a wait for permits ends. */
public abstract class SemaphoreMethodContract extends Contract {

    private final String name = name("semaphore");

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        needs(SemaphoreStore.class);
        onlooker = Onlooker.of(client().semaphore(name, 3));
    }

    private DistributedSemaphore of(Holdfast client) {
        return client.semaphore(name, 3);
    }

    @Test
    @DisplayName("is taken in every way")
    void isTakenInEveryWay() throws Exception {
        DistributedSemaphore semaphore = of(client());
        Duration wait = Duration.ofSeconds(5);
        for (Actor.Step way : List.<Actor.Step>of(
                semaphore::acquire,
                () -> semaphore.acquire(1),
                () -> semaphore.acquire(1, LONG),
                () -> semaphore.acquireUninterruptibly(1),
                () -> assertThat(semaphore.tryAcquire()).isTrue(),
                () -> assertThat(semaphore.tryAcquire(1)).isTrue(),
                () -> assertThat(semaphore.tryAcquire(0, TimeUnit.SECONDS)).isTrue(),
                () -> assertThat(semaphore.tryAcquire(1, 5, TimeUnit.SECONDS)).isTrue(),
                () -> assertThat(semaphore.tryAcquire(1, wait, LONG)).isTrue(),
                () -> await(semaphore.acquireAsync(1)),
                () -> assertThat(await(semaphore.tryAcquireAsync(1, wait))).isTrue())) {
            way.run();
            assertThat(onlooker.sees().holders()).hasSize(1);
            semaphore.release();
            assertThat(onlooker.sees().holders()).isEmpty();
        }
        for (Lease lease : List.of(
                semaphore.acquireLease(1),
                semaphore.acquireLease(1, LONG),
                await(semaphore.acquireLeaseAsync(1, LONG)))) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.name()).isEqualTo(name);
        }
        assertThat(semaphore.tryAcquireLease(1, Duration.ZERO)).isEmpty();
        assertThat(semaphore.tryAcquireLease(1, Duration.ofMillis(500), LONG)).isEmpty();
        assertThat(await(semaphore.tryAcquireLeaseAsync(1, Duration.ofMillis(500))))
                .isEmpty();
        assertThat(await(semaphore.tryAcquireLeaseAsync(1, Duration.ofMillis(500), LONG)))
                .isEmpty();
        assertThat(onlooker.sees().holders()).hasSize(3);
    }

    @Test
    @DisplayName("belongs to a handle that is closed, and not to release()")
    void isHeldByAHandle() throws Exception {
        DistributedSemaphore semaphore = of(client());
        Lease lease = await(semaphore.acquireLeaseAsync(2));
        assertThatThrownBy(semaphore::release).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(of(client()).availablePermits()).isEqualTo(1);
        actor("bob").does(lease::close);
        lease.close();
        assertThat(semaphore.availablePermits()).isEqualTo(3);
        assertThat(semaphore.acquireLease(1).token()).isGreaterThan(lease.token());
    }

    @Simulated
    @Test
    @DisplayName("tells a handle that its permits were lost")
    void tellsAHandle() throws Exception {
        LockStore store = openStore();
        Lease lease = of(client(KEPT)).acquireLease(2);
        CompletableFuture<Lease> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        assertThat(await(store.forceRelease(Resource.semaphore(name), OptionalLong.empty())
                        .toCompletableFuture()))
                .isTrue();
        await(told);
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is left at once by who times out, is interrupted or cancels, and nothing stays")
    void isLeft() throws Exception {
        DistributedSemaphore held = of(client());
        held.acquire(3);
        DistributedSemaphore semaphore = of(client());
        Actor bob = actor("bob");
        Future<?> interrupted = bob.starts(() -> {
            assertThatThrownBy(() -> semaphore.acquire(2)).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(semaphore::acquire).isInstanceOf(InterruptedException.class);
        });
        onlooker.seesWaiting(1);
        List<CompletableFuture<?>> cancelled =
                List.of(semaphore.acquireAsync(1), semaphore.tryAcquireAsync(1, LONG), semaphore.acquireLeaseAsync(2));
        onlooker.seesWaiting(4);
        bob.interrupt();
        await(interrupted);
        cancelled.forEach(one -> one.cancel(true));
        onlooker.seesOnly(0);
        assertThat(semaphore.tryAcquire(700, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(semaphore.tryAcquireLease(1, Duration.ofMillis(700))).isEmpty();
        onlooker.seesOnly(0);
        held.release(3);
        onlooker.seesNobody();
        assertThatThrownBy(semaphore::release).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    @DisplayName("is waited for by acquireUninterruptibly through interrupts, which are kept")
    void isWaitedForUninterruptibly() throws Exception {
        DistributedSemaphore held = of(client());
        held.acquire(3);
        DistributedSemaphore semaphore = of(client());
        Actor bob = actor("bob");
        Future<Boolean> flag = bob.begins(() -> {
            semaphore.acquireUninterruptibly(2);
            boolean kept = Thread.interrupted();
            semaphore.release(2);
            return kept;
        });
        onlooker.seesWaiting(1);
        bob.interrupt();
        throughout("bob waits on", Duration.ofMillis(20), () -> !flag.isDone());
        held.release(3);
        assertThat(await(flag)).isTrue();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("gets back what a client had that is closed, and fails those of it who wait")
    void isGivenBackByClose() throws Exception {
        Holdfast client = client();
        of(client).acquire(2);
        Lease lease = of(client).acquireLease(1);
        Holdfast other = client();
        Actor bob = actor("bob");
        Future<?> failed = bob.starts(
                () -> assertThatThrownBy(() -> of(other).acquire(3)).isInstanceOf(ClientClosedException.class));
        onlooker.seesWaiting(1);
        other.close();
        await(failed);
        onlooker.seesOnly(0);
        client.close();
        assertThat(lease.isValid()).isFalse();
        onlooker.seesNobody();
        assertThatThrownBy(() -> of(client).acquire()).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> of(client).availablePermits()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    @DisplayName("rejects numbers that can't be before it asks anybody")
    void rejectsNonsense() {
        Holdfast client = client();
        assertThatThrownBy(() -> client.semaphore(name, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.semaphore(name, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.semaphore("", 1)).isInstanceOf(IllegalArgumentException.class);
        DistributedSemaphore semaphore = of(client);
        for (int permits : new int[] {-1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> semaphore.acquire(permits)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> semaphore.tryAcquire(permits)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> semaphore.release(permits)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> semaphore.acquire(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Simulated
    @Test
    @DisplayName("leaves a client that has no permits with nothing to do")
    void leavesNothingToDo() throws Exception {
        CountingStore counted = new CountingStore(newStore());
        DistributedSemaphore semaphore = of(client(counted, SHORT));
        DistributedSemaphore held = of(client());
        held.acquire(3);
        assertThat(actor("bob").gets(() -> semaphore.tryAcquire(500, TimeUnit.MILLISECONDS)))
                .isFalse();
        CompletableFuture<Void> waiting = semaphore.acquireAsync(3);
        onlooker.seesWaiting(1);
        held.release(3);
        await(waiting);
        semaphore.release();
        semaphore.release(2);
        onlooker.seesNobody();
        eventually(SOON, () -> {
            int before = counted.commands();
            pass(SHORT);
            assertThat(counted.commands() - before).as("commands").isZero();
        });
        until("no watch stays", SOON.multipliedBy(2), () -> counted.watches() == 0);
    }
}
