package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.claim.Hold;
import io.holdfast.internal.claim.LockOwner;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.internal.queue.LockRequest;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ReleaseResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the engine costs, counted in a world where time moves only when it is told to. */
class EngineTest {

    private static final long SECOND = 1_000_000_000L;

    private final ManualTime time = new ManualTime(0);
    private final CountingStore store = new CountingStore(new MemoryStore(new MemoryLocks(time), "memory"));
    private final Engine engine = time.engine(1, store);

    private final DistributedLock lock = locks(engine).lock("a", LockOptions.defaults());

    @Test
    @DisplayName("a lock taken and given back a million times leaves no timer, no queue and a handful of wake-ups")
    void leavesNothing() {
        for (int i = 0; i < 1_000_000; i++) {
            lock.lock();
            lock.unlock();
            time.advance(1_000);
        }
        assertThat(engine.inUse()).isZero();
        assertThat(engine.timers().size()).isZero();
        assertThat(time.scheduled()).isLessThan(10);
        assertThat(store.renewals).isZero();
    }

    @Test
    @DisplayName("a held lock has one timer and costs the same renewals when fresh and after 1,000 cycles")
    void renewsAtTheSameRate() {
        lock.lock();
        time.advance(300 * SECOND);
        long fresh = store.renewals;
        lock.unlock();
        for (int i = 0; i < 1_000; i++) {
            lock.lock();
            lock.unlock();
        }
        lock.lock();
        store.renewals = 0;
        assertThat(engine.timers().size()).isEqualTo(1);
        time.advance(300 * SECOND);
        assertThat(store.renewals).isBetween(fresh - 1, fresh + 1);
        assertThat(fresh).isBetween(30L, 34L);
    }

    @Test
    @DisplayName("a lock that its holder extends by less than its lease, again and again, is renewed all the same")
    void isRenewedBesideExtensions() {
        try (Lease lease = lock.acquireAsync().join()) {
            for (int i = 0; i < 20; i++) {
                time.advance(5 * SECOND);
                lease.extend(Duration.ofSeconds(1));
            }
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(15));
        }
    }

    @Test
    @DisplayName("one who leaves as its time is over leaves no haste behind: those who stay wait as before")
    void leavesAsItsTimeIsOver() {
        List<CompletableFuture<ClaimResult>> asked = new ArrayList<>();
        Engine silent = time.engine(2, new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
                asked.add(answer);
                return answer;
            }
        });
        DistributedLock wanted = locks(silent).lock("a", LockOptions.defaults());
        CompletableFuture<Void> patient = wanted.lockAsync(1);
        AtomicReference<CompletableFuture<Boolean>> leaving = new AtomicReference<>();
        // Due at the same time, and before it.
        silent.timers()
                .arm(
                        new Timer(() -> leaving.get().cancel(false)),
                        time.nanos() + Duration.ofMillis(10).toNanos());
        leaving.set(wanted.tryLockAsync(10, TimeUnit.MILLISECONDS));
        time.advance(Duration.ofMillis(10).toNanos());
        assertThat(leaving.get()).isCancelled();
        for (int i = 0; i < asked.size() && i < 100; i++) {
            asked.get(i).complete(new ClaimResult.Busy(Duration.ofSeconds(20), i + 1));
        }
        assertThat(patient).isNotDone();
        assertThat(asked).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    @DisplayName(
            "a store that fails to say where a claim belongs costs nobody else a renewal, and that claim only a little time")
    void survivesAFailingShard() {
        AtomicInteger failures = new AtomicInteger();
        Engine failing = time.engine(2, new ForwardingStore(store) {
            @Override
            public String shard(String name) {
                if (name.equals("b") && failures.getAndIncrement() == 0) {
                    throw new IllegalStateException("on purpose");
                }
                return super.shard(name);
            }
        });
        List<DistributedLock> locks = Stream.of("b", "c", "d")
                .map(name -> locks(failing).lock(name, LockOptions.defaults()))
                .toList();
        locks.forEach(DistributedLock::lock);
        time.advance(60 * SECOND);
        assertThat(failures).hasPositiveValue();
        assertThat(locks).allMatch(DistributedLock::isHeldByCurrentThread);
    }

    @Test
    @DisplayName("a renewal whose answer is lost is sent again, once each time, and its end is told")
    void asksAgainOnce() {
        AtomicInteger sent = new AtomicInteger();
        Engine silent = time.engine(2, new ForwardingStore(store) {
            @Override
            public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
                sent.addAndGet(claims.size());
                return new CompletableFuture<>();
            }
        });
        Lease lease =
                locks(silent).lock("b", LockOptions.defaults()).acquireAsync().join();
        AtomicInteger lost = new AtomicInteger();
        lease.onLost(gone -> lost.incrementAndGet());
        time.advance(31 * SECOND);
        assertThat(lease.isValid()).isFalse();
        assertThat(lost).hasValue(1);
        // After 10 s, and then every 1.66 s at the latest, as the time-out is 5 s, until 29.7 s.
        assertThat(sent).hasValueBetween(11, 15);
    }

    @Test
    @DisplayName(
            "a hold that nobody took is over at once: its owner may have seen it, and must not take it for the next one")
    void isOverIfNobodyTookIt() {
        lock.lock();
        try {
            LockOwner me = LockOwner.ofCurrentThread();
            Hold held = Objects.requireNonNull(engine.holdOf("a", Mode.EXCLUSIVE, me.id()));
            Waiter left = new Waiter(
                    engine,
                    "a",
                    LockRequest.exclusive(false, true),
                    held.activeClaim.terms,
                    me,
                    Waiter.FOREVER,
                    0,
                    null);
            left.result.complete(null);
            Hold offered = new Hold(held.activeClaim, me, 2, time.nanos());
            assertThat(offered.tryGiveTo(left.result)).isFalse();
            assertThat(offered.isOver()).isTrue();
            assertThat(offered.isValid()).isFalse();
            assertThat(held.isValid()).isTrue();
        } finally {
            lock.unlock();
        }
    }

    @Test
    @DisplayName("a thousand locks of one client are renewed in batches")
    void renewsInBatches() {
        for (int i = 0; i < 1_000; i++) {
            locks(engine).lock("batch:" + i, LockOptions.defaults()).lock();
            time.advance(10_000_000);
        }
        store.renewals = 0;
        time.advance(30 * SECOND);
        // Three times in a lease, and each time in some ten ticks of up to 256 claims.
        assertThat(store.renewals).isLessThan(45);
    }

    @Test
    @DisplayName("a hold whose lease has passed is told lost on the next look, even if nothing else ran")
    void pausedHolder() {
        lock.lock();
        Lease lease = lock.lease();
        time.jump(31 * SECOND); // a stopped process: no timer ran
        assertThat(lease.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        time.advance(0);
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    @DisplayName(
            "a short try that gets no answer says no, and says why once nothing was answered for the client's time-out")
    void shortTryInAnOutage() {
        AtomicInteger down = new AtomicInteger(1);
        Engine failing = time.engine(2, new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                return switch (down.get()) {
                    case 0 -> super.claim(claim);
                    case 1 -> new CompletableFuture<>();
                    default ->
                        CompletableFuture.failedStage(
                                new StoreUnavailableException("nobody listens", new IOException("Connection refused")));
                };
            }
        });
        for (boolean silent : new boolean[] {true, false}) {
            down.set(silent ? 1 : 2);
            for (int second = 0; second < 5; second++) {
                assertThat(tried(failing)).as("in second %d", second).isCompletedWithValue(false);
            }
            time.advance(3 * SECOND);
            assertThatThrownBy(() -> tried(failing).join())
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .satisfies(e -> assertThat(e.getCause().getMessage())
                            .startsWith("lock 'tried': memory has not answered for ")
                            .containsOnlyOnce("'tried'"));
            down.set(0);
            time.advance(3 * SECOND); // the last attempt is given up
            assertThat(tried(failing)).isCompletedWithValue(true);
            locks(failing).lock("tried", LockOptions.defaults()).unlockAsync(7).join();
        }
        time.advance(30 * SECOND);
        assertThat(failing.inUse()).isZero();
        assertThat(failing.timers().size()).isZero();
    }

    private CompletableFuture<Boolean> tried(Engine by) {
        CompletableFuture<Boolean> tried =
                locks(by).lock("tried", LockOptions.defaults()).tryLockAsync(10, -1, TimeUnit.MILLISECONDS, 7);
        time.advance(SECOND);
        return tried;
    }

    @Test
    @DisplayName("a waiter whose time is over is told so when the store knows that it has left, or after a moment")
    void isToldWhenItIsKnown() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        Engine distant = time.engine(2, new ForwardingStore(store) {
            @Override
            public CompletionStage<ReleaseResult> release(Claim claim) {
                return claim.name().startsWith("silent")
                        ? new CompletableFuture<>()
                        : gate.thenCompose(open -> super.release(claim));
            }
        });
        for (boolean fair : new boolean[] {false, true}) {
            LockOptions options = fair ? LockOptions.defaults().fair() : LockOptions.defaults();
            locks(engine).lock("silent " + fair, options).lock();
            CompletableFuture<Boolean> silent =
                    locks(distant).lock("silent " + fair, options).tryLockAsync(20, TimeUnit.MILLISECONDS);
            time.advance(SECOND / 50);
            assertThat(silent).isNotDone();
            time.advance(SECOND / 10);
            assertThat(silent).isCompletedWithValue(false);
        }
        lock.lock();
        CompletableFuture<Boolean> left =
                locks(distant).lock("a", LockOptions.defaults()).tryLockAsync(20, TimeUnit.MILLISECONDS);
        time.advance(SECOND / 50 + SECOND / 100);
        assertThat(left).isNotDone();
        gate.complete(null);
        assertThat(left).isCompletedWithValue(false);
        lock.unlock();
    }

    @Test
    @DisplayName("a wait that is shorter than the way to the store hears the first answer, and not much longer")
    void shortWait() {
        Engine distant = time.engine(2, new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
                super.claim(claim)
                        .thenAccept(outcome -> time.schedule(
                                () -> answer.complete(outcome), claim.name().equals("far") ? SECOND : SECOND / 50));
                return answer;
            }
        });
        CompletableFuture<Boolean> free =
                locks(distant).lock("free", LockOptions.defaults()).tryLockAsync(1, TimeUnit.MILLISECONDS);
        lock.lock(); // by the other client
        CompletableFuture<Boolean> busy =
                locks(distant).lock("a", LockOptions.defaults()).tryLockAsync(1, TimeUnit.MILLISECONDS);
        CompletableFuture<Boolean> far =
                locks(distant).lock("far", LockOptions.defaults()).tryLockAsync(1, TimeUnit.MILLISECONDS);
        time.advance(SECOND / 100);
        assertThat(free).isNotDone();
        time.advance(SECOND / 50);
        assertThat(free).isCompletedWithValue(true);
        assertThat(busy).isCompletedWithValue(false);
        assertThat(far).isNotDone();
        time.advance(SECOND / 10);
        assertThat(far).isCompletedWithValue(false);
        locks(distant).lock("free", LockOptions.defaults()).unlockAsync();
        time.advance(30 * SECOND);
        assertThat(distant.inUse()).isZero();
        assertThat(distant.timers().size()).isZero();
        lock.unlock();
    }
}
