package io.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.ClientSnapshot;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LocalHold;
import io.holdfast.LocalOwner;
import io.holdfast.LocalWaiter;
import io.holdfast.LockOptions;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A snapshot of a client")
@SuppressWarnings("LockNotBeforeTry") // the tests are about what is seen of locks
class SnapshotTest {

    @Test
    @DisplayName("shows what is held and waited for: by what, since when, with which token, and in which order")
    void shows() throws Exception {
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            DistributedLock plain = holdfast.lock("plain");
            plain.lock();
            plain.lock();
            Lease read = holdfast.readWriteLock("rw").readLock().acquire(Duration.ofSeconds(20));
            holdfast.lock("by-id").lockAsync(7).get();
            DistributedSemaphore permits = holdfast.semaphore("permits", 5);
            permits.acquire(2);
            CompletableFuture<Lease> first = plain.acquireAsync();
            CompletableFuture<Boolean> second = plain.tryLockAsync(60_000, -1, TimeUnit.MILLISECONDS, 8);
            CompletableFuture<Void> third = holdfast.fairLock("plain").lockAsync(9);
            CompletableFuture<Void> latch = awaitLatch(holdfast);

            ClientSnapshot seen = holdfast.snapshot();
            assertThat(seen.holds())
                    .extracting(LocalHold::name, LocalHold::mode, LocalHold::entries, LocalHold::permits)
                    .containsExactly(
                            tuple("by-id", Mode.EXCLUSIVE, 1, 1),
                            tuple("permits", Mode.PERMITS, 1, 2),
                            tuple("plain", Mode.EXCLUSIVE, 2, 1),
                            tuple("rw", Mode.SHARED, 1, 1));
            String me = Thread.currentThread().getName();
            long id = Thread.currentThread().getId();
            assertThat(seen.holds())
                    .extracting(LocalHold::owner)
                    .containsExactly(
                            new LocalOwner(LocalOwner.Kind.ID, 7, me),
                            new LocalOwner(LocalOwner.Kind.HANDLE, 0, me),
                            new LocalOwner(LocalOwner.Kind.THREAD, id, me),
                            new LocalOwner(LocalOwner.Kind.HANDLE, 0, me));
            LocalHold held = seen.holds().get(2);
            assertThat(held.token()).isEqualTo(plain.lease().token());
            assertThat(held.since()).isBetween(seen.at().minusSeconds(60), seen.at());
            assertThat(held.timeLeft()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
            assertThat(held.renewed()).isTrue();
            assertThat(seen.holds().get(3).token()).isEqualTo(read.token());
            assertThat(seen.holds().get(3).timeLeft()).isLessThanOrEqualTo(Duration.ofSeconds(20));
            assertThat(seen.holds().get(3).renewed()).isFalse();
            assertThat(seen.waiters())
                    .extracting(
                            LocalWaiter::type,
                            LocalWaiter::name,
                            LocalWaiter::position,
                            waiter -> waiter.owner().kind())
                    .containsExactly(
                            tuple(ResourceType.LATCH, "latch", 0, LocalOwner.Kind.HANDLE),
                            tuple(ResourceType.LOCK, "plain", 0, LocalOwner.Kind.HANDLE),
                            tuple(ResourceType.LOCK, "plain", 1, LocalOwner.Kind.ID),
                            tuple(ResourceType.LOCK, "plain", 2, LocalOwner.Kind.ID));
            assertThat(seen.waiters().get(1).timeLeft()).isNull();
            assertThat(seen.waiters().get(2).timeLeft()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));

            assertThat(holdfast.inspect("plain").localWaiters())
                    .extracting(LocalWaiter::position)
                    .containsExactly(0, 1, 2);
            assertThat(holdfast.inspect("rw").localWaiters()).isEmpty();
            assertThat(List.of(first, second, third, latch)).noneMatch(CompletableFuture::isDone);
        }
    }

    private static CompletableFuture<Void> awaitLatch(Holdfast holdfast) {
        assertThat(holdfast.latch("latch").trySetCount(1)).isTrue();
        return holdfast.latch("latch").awaitAsync();
    }

    @Test
    @DisplayName("shows a lock that the client keeps though no caller holds it")
    void kept() {
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            DistributedLock lock = holdfast.lock("a", LockOptions.defaults().linger(Duration.ofSeconds(20)));
            lock.lock();
            lock.unlock();
            assertThat(holdfast.snapshot().holds())
                    .singleElement()
                    .extracting(hold -> hold.owner().kind(), LocalHold::entries)
                    .containsExactly(LocalOwner.Kind.KEPT, 0);
        }
    }

    @Test
    @DisplayName("is consistent for each name while 64 threads lock and unlock, and is empty when they have ended")
    void underLoad() throws Exception {
        int threads = 64;
        int names = 4;
        int rounds = 300;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Holdfast holdfast = Holdfast.connect("memory:")) {
            AtomicInteger running = new AtomicInteger(threads);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                DistributedLock lock = holdfast.lock("lock:" + i % names);
                all.add(pool.submit(() -> {
                    try {
                        for (int round = 0; round < rounds; round++) {
                            lock.lock();
                            lock.unlock();
                        }
                    } finally {
                        running.decrementAndGet();
                    }
                }));
            }
            int looks = 0;
            int seen = 0;
            while (running.get() > 0 || looks == 0) {
                ClientSnapshot snapshot = holdfast.snapshot();
                looks++;
                seen += snapshot.waiters().size() + snapshot.holds().size();
                check(snapshot, threads);
            }
            for (Future<?> one : all) {
                one.get();
            }
            assertThat(seen).isPositive();
            while (!holdfast.snapshot().holds().isEmpty()) {
                Thread.onSpinWait(); // the last claim is given back a moment after the last unlock
            }
            assertThat(holdfast.snapshot().waiters()).isEmpty();
        } finally {
            pool.shutdownNow();
        }
    }

    private static void check(ClientSnapshot snapshot, int threads) {
        Map<String, Integer> holders = new HashMap<>();
        snapshot.holds().forEach(hold -> holders.merge(hold.name(), 1, Integer::sum));
        assertThat(holders.values()).allMatch(number -> number == 1);
        Map<String, Integer> next = new HashMap<>();
        for (LocalWaiter waiter : snapshot.waiters()) {
            assertThat(waiter.position()).isEqualTo(next.merge(waiter.name(), 1, Integer::sum) - 1);
        }
        assertThat(snapshot.waiters()).hasSizeLessThanOrEqualTo(threads);
        assertThat(snapshot.waiters().stream().map(waiter -> waiter.owner().id()))
                .as("a thread waits in one place")
                .doesNotHaveDuplicates();
    }
}
