package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.internal.time.Scheduler;
import io.holdfast.internal.time.Timer;
import io.holdfast.internal.time.Timers;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What threads, executors and a store that fails can do to the engine at the worst moment. */
@Timeout(30)
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
class BadDaysTest {

    /** A store whose grants and failures the test decides. */
    private static final class MoodyStore extends ForwardingStore {

        volatile boolean down;
        volatile boolean busy;
        volatile boolean holdsBack;
        final AtomicInteger claims = new AtomicInteger();
        final AtomicInteger releases = new AtomicInteger();
        volatile CompletableFuture<ClaimResult> heldBack = new CompletableFuture<>();

        /** Claims run when this is done. */
        volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

        MoodyStore() {
            super(new MemoryStore(new MemoryLocks(System::nanoTime), "a moody store"));
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            claims.incrementAndGet();
            if (down) {
                return unavailable();
            }
            if (holdsBack) {
                super.claim(claim);
                return heldBack;
            }
            return busy
                    ? CompletableFuture.completedStage(new ClaimResult.Busy(Duration.ofSeconds(1)))
                    : gate.thenCompose(open -> super.claim(claim));
        }

        @Override
        public CompletionStage<ReleaseResult> release(Claim claim) {
            releases.incrementAndGet();
            return down ? unavailable() : super.release(claim);
        }

        private static <T> CompletionStage<T> unavailable() {
            return CompletableFuture.failedStage(new StoreUnavailableException("nobody listens"));
        }
    }

    private final MoodyStore store = new MoodyStore();

    @Test
    @DisplayName("a thousand losses with slow callbacks need no thousand threads, and all of them are told")
    void manyLosses() throws Exception {
        Holdfast client = Holdfast.builder().store(store).build();
        int losses = 1_000;
        CountDownLatch told = new CountDownLatch(losses);
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger atOnce = new AtomicInteger();
        for (int i = 0; i < losses; i++) {
            client.lock("lost:" + i).acquire().onLost(lost -> {
                if (!isVirtual(Thread.currentThread())) {
                    atOnce.incrementAndGet();
                }
                await(slow);
                told.countDown();
            });
        }
        CompletableFuture<Void> other = client.lock("other").lockAsync(1);
        client.close();
        assertThat(other).succeedsWithin(Duration.ofSeconds(10));
        assertThat(atOnce).hasValueLessThanOrEqualTo(Tuning.LOSS_CALLBACKS_AT_ONCE);
        slow.countDown();
        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean isVirtual(Thread thread) {
        return thread.getClass().getSimpleName().contains("Virtual");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("who is interrupted at the moment of the grant and asks again holds the lock alone")
    void interruptedAtTheGrant() throws Exception {
        store.holdsBack = true;
        try (RealTimer timers = new RealTimer()) {
            Engine engine = new Engine(
                    Identity.ofThisProcess("00000000-0000-4000-8000-000000000001", "test"),
                    new SystemNonces(),
                    store,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5),
                    System::nanoTime,
                    timers,
                    ForkJoinPool.commonPool(),
                    List.of());
            DistributedLock lock = locks(engine).lock("a", LockOptions.defaults());
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch enough = new CountDownLatch(1);
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread holder = new Thread(() -> {
                try {
                    lock.lockInterruptibly();
                    ended.complete(new AssertionError("not interrupted"));
                } catch (InterruptedException e) {
                    try {
                        lock.lock();
                        inside.countDown();
                        enough.await();
                        lock.unlock();
                        ended.complete(null);
                    } catch (Throwable failure) {
                        ended.complete(failure);
                    }
                }
            });
            holder.start();
            until(() -> store.claims.get() == 1 && holder.getState() == Thread.State.WAITING);
            store.holdsBack = false;

            // The grant gets as far as the timers, which another thread is busy with just now.
            ReentrantLock busy = lockOf(engine.timers());
            busy.lock();
            Thread delivery = new Thread(() -> store.heldBack.complete(new ClaimResult.Granted(1)));
            delivery.start();
            until(() -> busy.hasQueuedThread(delivery));
            holder.interrupt();
            until(() -> inside.getCount() == 0 || busy.getQueueLength() > 1);
            busy.unlock();

            inside.await();
            assertThat(lock.tryLock()).as("another thread").isFalse();
            enough.countDown();
            assertThat(ended.get()).isNull();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
        }
    }

    @Test
    @DisplayName("a claim that the store runs behind its release is given back before the client is closed")
    void overtakenDuringClose() throws Exception {
        store.gate = new CompletableFuture<>();
        Holdfast client =
                Holdfast.builder().store(store).timeout(Duration.ofSeconds(20)).build();
        CompletableFuture<Lease> asked = client.lock("a").acquireAsync();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
        until(() -> store.releases.get() == 1);
        assertThat(closed).as("while the claim may still be granted").isNotDone();
        store.gate.complete(null);
        closed.get();
        assertThat(store.releases).hasValue(2);
        assertThat(store.inspect(Resource.lock("a")).toCompletableFuture().get().isLocked())
                .isFalse();
        assertThatThrownBy(asked::join).hasCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    @DisplayName("an attempt that is still out when another of the same claim was granted is waited for, too")
    void outlivesTheGrant() throws Exception {
        CompletableFuture<Void> first = new CompletableFuture<>();
        store.gate = first;
        Holdfast client =
                Holdfast.builder().store(store).timeout(Duration.ofSeconds(6)).build();
        CompletableFuture<Lease> asked = client.lock("a").acquireAsync();
        until(() -> store.claims.get() == 1);
        store.gate = CompletableFuture.completedFuture(null);
        asked.get(); // by the second attempt
        CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
        until(() -> store.releases.get() == 1);
        assertThat(closed).as("while the first may still be granted").isNotDone();
        first.complete(null);
        closed.get();
        assertThat(store.inspect(Resource.lock("a")).toCompletableFuture().get().isLocked())
                .isFalse();
    }

    @Test
    @DisplayName("a claim that the store never answers does not keep the client from closing")
    void unansweredDuringClose() throws Exception {
        store.gate = new CompletableFuture<>();
        Holdfast client =
                Holdfast.builder().store(store).timeout(Duration.ofMillis(300)).build();
        client.lock("a").acquireAsync();
        client.close();
        assertThat(store.releases).hasValue(1);
    }

    @Test
    @DisplayName("an unlock that the store does not confirm ends with the client, not never")
    void unlockDuringClose() throws Exception {
        Holdfast client =
                Holdfast.builder().store(store).timeout(Duration.ofMillis(500)).build();
        DistributedLock lock = client.lock("a");
        lock.lock();
        store.down = true;
        CompletableFuture<Void> unlocking = lock.unlockAsync();
        client.close();
        assertThatThrownBy(() -> unlocking.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(HoldfastException.class);
    }

    @Test
    @DisplayName("wake-ups do not pile up behind a timer that is far away")
    void wakeUps() {
        ManualTime time = new ManualTime(0);
        Timers timers = new Timers(time, time);
        timers.arm(new Timer(() -> {}), Duration.ofDays(1).toNanos());
        for (int i = 0; i < 1_000; i++) {
            timers.arm(new Timer(() -> {}), time.nanos() + 2_000_000);
            time.advance(3_000_000);
        }
        assertThat(time.outstanding()).isLessThan(3);
    }

    @Test
    @DisplayName("an executor that refuses keeps no callback from running, and runs none on the engine's threads")
    void refusingExecutor() throws Exception {
        try (Holdfast client = Holdfast.builder()
                .store(store)
                .executor(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build()) {
            DistributedLock lock = client.lock("a");
            Lease lease = lock.acquire(Duration.ofMillis(50));
            CompletableFuture<String> told = new CompletableFuture<>();
            lease.onLost(lost -> {
                lock.lock(); // would wait for itself on the engine's thread
                lock.unlock();
                told.complete(Thread.currentThread().getName());
            });
            assertThat(told.get(10, TimeUnit.SECONDS)).doesNotContain("holdfast-timer");
            assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
        }
    }

    @Test
    @DisplayName("an executor that fails leaves the lock working")
    void failingExecutor() throws Exception {
        AtomicBoolean failing = new AtomicBoolean();
        AtomicInteger released = new AtomicInteger();
        try (Holdfast client = Holdfast.builder()
                .store(store)
                .executor(task -> {
                    if (failing.get()) {
                        throw new OutOfMemoryError("on purpose: no more threads");
                    }
                    ForkJoinPool.commonPool().execute(task);
                })
                .listener(new LockListener() {
                    @Override
                    public void released(LockEvent.Released event) {
                        released.incrementAndGet();
                    }
                })
                .build()) {
            DistributedLock lock = client.lock("a");
            lock.lock();
            failing.set(true);
            lock.unlock();
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
            until(() -> released.get() == 2);
        }
    }

    @Test
    @DisplayName("a tryLock() behind one who leaves is answered by one more question to the store")
    void impatientBehindALeaver() throws Exception {
        store.busy = true;
        try (Holdfast client = Holdfast.builder().store(store).build()) {
            DistributedLock lock = client.lock("a");
            CompletableFuture<Void> first = lock.lockAsync(1);
            for (int i = 0; i < 50; i++) {
                client.lock("a").tryLock(); // each asks once
            }
            CompletableFuture<Void> second = lock.lockAsync(5, TimeUnit.SECONDS, 2);
            store.holdsBack = true;
            CompletableFuture<Boolean> underWay = lock.tryLockAsync(3);
            until(() -> !store.heldBack.isDone() && store.claims.get() > 50);
            CompletableFuture<Boolean> nonBlocking = lock.tryLockAsync(4);
            first.cancel(false);
            store.holdsBack = false;
            int before = store.claims.get();
            store.heldBack.complete(new ClaimResult.Busy(Duration.ofSeconds(1)));
            assertThat(underWay.get(5, TimeUnit.SECONDS)).isFalse();
            assertThat(nonBlocking.get(5, TimeUnit.SECONDS)).isFalse();
            assertThat(store.claims.get() - before).isLessThan(4);
            second.cancel(false);
        }
    }

    @Test
    @DisplayName(
            "a store that always answers later than it is asked again still grants, and still says that it is busy")
    void slowStore() throws Exception {
        Duration slow = Duration.ofMillis(800); // and asked again after a third of 2,000
        ForwardingStore late = new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                return super.claim(claim)
                        .thenApplyAsync(
                                outcome -> outcome,
                                CompletableFuture.delayedExecutor(slow.toMillis(), TimeUnit.MILLISECONDS));
            }
        };
        try (Holdfast client =
                Holdfast.builder().store(late).timeout(Duration.ofSeconds(2)).build()) {
            DistributedLock lock = client.lock("a");
            lock.lock();
            assertThat(lock.lease().remaining())
                    .isLessThan(Duration.ofSeconds(30).minus(slow));
            lock.unlock();
            store.busy = true;
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(3, TimeUnit.SECONDS)).isFalse();
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void until(Condition condition) throws Exception {
        while (!condition.holds()) {
            Thread.sleep(2);
        }
    }

    private static ReentrantLock lockOf(Timers timers) throws ReflectiveOperationException {
        Field lock = Timers.class.getDeclaredField("lock");
        lock.setAccessible(true);
        return (ReentrantLock) lock.get(timers);
    }

    /** A scheduler of real time that ends with the test. */
    private static final class RealTimer implements Scheduler, AutoCloseable {

        private final ScheduledThreadPoolExecutor timer = Threads.timer("test");

        @Override
        public void schedule(Runnable task, long delayNanos) {
            timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }
}
