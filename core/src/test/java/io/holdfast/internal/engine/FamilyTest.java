package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.lock.LockFactory;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimOptions;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Owner;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fair, read/write and multi-locks and semaphores, counted in a world where time moves only when it is told to. */
class FamilyTest {

    private static final long SECOND = 1_000_000_000L;
    private static final LockOptions FAIR = LockOptions.defaults().fair();

    private final ManualTime time = new ManualTime(0);
    private boolean deaf;
    private boolean failing;
    private final MemoryStore memory = new MemoryStore(new MemoryLocks(time), "memory");
    private final CountingStore store = new CountingStore(new ForwardingStore(memory) {
        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
            return failing
                    ? CompletableFuture.failedStage(new StoreUnavailableException("not now"))
                    : super.renew(batch);
        }

        @Override
        public Subscription subscribe(String client, ClaimListener called) {
            return super.subscribe(client, new SelectiveListener(called, () -> !deaf, () -> !deaf));
        }
    });
    private final Engine engine = engine(1, store);
    private final Engine other = engine(2, store);

    private Engine engine(int number, LockStore on) {
        return time.engine(number, on);
    }

    @AfterEach
    void nothingIsLeft() {
        time.advance(60 * SECOND);
        for (Engine one : List.of(engine, other)) {
            assertThat(one.inUse()).isZero();
            assertThat(one.timers().size()).isZero();
        }
    }

    @Test
    @DisplayName("a lock that lingers goes to a fair waiter of another client though its first asking was not heard")
    void unheardAsking() {
        DistributedLock lingering =
                locks(engine).lock("kept", LockOptions.defaults().linger(Duration.ofSeconds(60)));
        lingering.lockAsync(1).join();
        lingering.unlockAsync(1).join();
        deaf = true;
        CompletableFuture<Lease> waiting = locks(other).lock("kept", FAIR).acquireAsync();
        time.advance(SECOND);
        deaf = false;
        time.advance(SECOND / 2);
        assertThat(waiting).isNotDone();
        time.advance(2 * SECOND);
        assertThat(waiting).isDone();
        waiting.join().close();
    }

    @Test
    @DisplayName(
            "a fair lock goes by itself to those of the same client who come next at the store, and then to others")
    void passesInARow() {
        DistributedLock here = locks(engine).lock("row", FAIR);
        DistributedLock there = locks(other).lock("row", FAIR);
        there.lockAsync(9).join();
        List<CompletableFuture<Void>> waiting = List.of(here.lockAsync(1), here.lockAsync(2), here.lockAsync(3));
        CompletableFuture<Void> between = there.lockAsync(4);
        CompletableFuture<Void> last = here.lockAsync(5);
        waiting.get(1).cancel(false);
        there.unlockAsync(9).join();
        assertThat(waiting.get(0)).isCompleted();

        long claims = store.claims;
        here.unlockAsync(1).join();
        assertThat(waiting.get(2)).isCompleted();
        assertThat(store.claims).as("without asking the store").isEqualTo(claims);
        assertThat(List.of(between, last)).noneMatch(CompletableFuture::isDone);
        time.advance(100 * SECOND); // it is kept as any other
        assertThat(between).isNotDone();

        here.unlockAsync(3).join();
        assertThat(between).isCompleted();
        assertThat(last).isNotDone();
        there.unlockAsync(4).join();
        assertThat(last).isCompleted();
        here.unlockAsync(5).join();
    }

    @Test
    @DisplayName("a fair lock that was handed on and is lost is told to who has it, and goes on in the store's order")
    void losesWhatWasHandedOn() {
        there().lockAsync(9).join();
        CompletableFuture<Lease> first = locks(engine).lock("row", FAIR).acquireAsync();
        CompletableFuture<Lease> second = locks(engine).lock("row", FAIR).acquireAsync();
        CompletableFuture<Lease> third = locks(engine).lock("row", FAIR).acquireAsync();
        CompletableFuture<Lease> others = there().acquireAsync();
        there().unlockAsync(9).join();
        first.join().close();
        assertThat(second.join().token()).isGreaterThan(first.join().token());
        other.forceUnlock("row", OptionalLong.empty());
        time.advance(15 * SECOND);
        assertThat(second.join().isValid()).isFalse();
        assertThat(third.join().isValid()).isTrue();
        third.join().close();
        others.join().close();
        assertThat(others.join().token()).isGreaterThan(third.join().token());
    }

    @Test
    @DisplayName("a fair lock is not handed past one of whom it was not known for a while how it stands")
    void isNotPassed() {
        there().lockAsync(9).join();
        DistributedLock here = locks(engine).lock("row", FAIR);
        CompletableFuture<Void> first = here.lockAsync(1);
        CompletableFuture<Void> second = here.lockAsync(2);
        failing = true;
        time.advance(SECOND + SECOND / 2);
        failing = false;
        time.advance(SECOND);
        CompletableFuture<Void> third = here.lockAsync(3);
        there().unlockAsync(9).join();
        assertThat(first).isCompleted();
        here.unlockAsync(1).join();
        assertThat(second).isCompleted();
        assertThat(third).isNotDone();
        here.unlockAsync(2).join();
        here.unlockAsync(3).join();
    }

    @Test
    @DisplayName("a client that stood still for longer than a place lasts hands a fair lock on to nobody")
    void standsStillInARow() {
        there().lockAsync(9).join();
        DistributedLock here = locks(engine).lock("row", FAIR);
        CompletableFuture<Void> first = here.lockAsync(1);
        CompletableFuture<Void> second = here.lockAsync(2);
        there().unlockAsync(9).join();
        assertThat(first).isCompleted();
        time.advance(2 * SECOND); // until it has been renewed
        time.jump(4 * SECOND);
        long claims = store.claims;
        here.unlockAsync(1).join();
        time.advance(5 * SECOND);
        assertThat(second).isCompleted();
        assertThat(store.claims).as("it had to ask").isGreaterThan(claims);
        here.unlockAsync(2).join();
    }

    private DistributedLock there() {
        return locks(other).lock("row", FAIR);
    }

    @Test
    @DisplayName(
            "a fair waiter that waits for an hour asks a dozen times, and is looked after with the others' renewals")
    void asksRarely() {
        Lease held = locks(engine)
                .lock("long", LockOptions.defaults())
                .acquireAsync()
                .join();
        CompletableFuture<Lease> waiting = locks(other).lock("long", FAIR).acquireAsync();
        long before = store.claims;
        time.advance(3_600 * SECOND);
        assertThat(store.claims - before).isBetween(1L, 12L);
        held.close();
        waiting.join().close();
    }

    @Test
    @DisplayName("a fair hand-off costs a release and a claim, however many wait")
    void fairHandOff() {
        DistributedLock lock = locks(engine).lock("a", FAIR);
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add((i % 2 == 0 ? lock : locks(other).lock("a", FAIR)).acquireAsync());
        }
        assertThat(store.claims).isEqualTo(200);
        for (int i = 0; i < 199; i++) {
            long before = store.claims + store.releases;
            waiting.get(i).join().close();
            assertThat(waiting.get(i + 1)).isDone();
            assertThat(store.claims + store.releases - before).isEqualTo(2);
        }
        waiting.get(199).join().close();
    }

    @Test
    @DisplayName("those who wait in a fair queue are renewed in batches, twice a second at most")
    void placesAreRenewedTogether() {
        Lease held = locks(engine).lock("a", FAIR).acquireAsync().join();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(locks(engine).lock("a", FAIR).acquireAsync());
            time.advance(SECOND / 77);
        }
        long renewals = store.renewals;
        long claims = store.claims;
        time.advance(10 * SECOND);
        assertThat(store.renewals - renewals).isBetween(10L, 22L);
        assertThat(store.claims - claims).as("by the first of them").isLessThanOrEqualTo(3);
        assertThat(memory.inspect(Resource.lock("a"))
                        .toCompletableFuture()
                        .join()
                        .waiters())
                .hasSize(100);
        waiting.forEach(one -> one.cancel(true));
        assertThat(memory.inspect(Resource.lock("a"))
                        .toCompletableFuture()
                        .join()
                        .waiters())
                .isEmpty();
        held.close();
    }

    @Test
    @DisplayName("a call that goes unheard costs a second")
    void lostCall() {
        deaf = true;
        Lease held = locks(engine).lock("a", FAIR).acquireAsync().join();
        CompletableFuture<Lease> waiting = locks(other).lock("a", FAIR).acquireAsync();
        time.advance(5 * SECOND);
        held.close();
        assertThat(waiting).isNotDone();
        time.advance(SECOND + SECOND / 10);
        assertThat(waiting).isDone();
        waiting.join().close();
    }

    @Test
    @DisplayName("the waiters of a client that is gone hold up nobody for longer than their place is kept")
    void deadWaiters() {
        Lease held = locks(engine).lock("a", FAIR).acquireAsync().join();
        for (int i = 0; i < 5; i++) {
            memory.claim(new Claim(
                    "a",
                    "00000000-0000-4000-8000-000000000003:" + i,
                    Mode.EXCLUSIVE,
                    Duration.ofSeconds(30),
                    1,
                    new Owner("gone", "localhost", 3, "main"),
                    QueuePolicy.QUEUES,
                    1,
                    ClaimOptions.NONE));
        }
        CompletableFuture<Lease> live = locks(other).lock("a", FAIR).acquireAsync();
        held.close();
        time.advance(Claim.TICKET.toNanos() + SECOND + SECOND / 10);
        assertThat(live).isDone();
        live.join().close();
    }

    @Test
    @DisplayName(
            "a read release that leaves readers inside wakes nobody; a writer's wakes the readers up to the next writer")
    void readersAreWokenTogether() {
        DistributedReadWriteLock lock = locks(engine).readWriteLock("a", FAIR);
        Lease first = lock.readLock().acquireAsync().join();
        Lease second = lock.readLock().acquireAsync().join();
        CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
        CompletableFuture<Lease> reader = lock.readLock().acquireAsync();
        CompletableFuture<Lease> also =
                locks(other).readWriteLock("a", FAIR).readLock().acquireAsync();
        CompletableFuture<Lease> later = lock.writeLock().acquireAsync();
        CompletableFuture<Lease> last = lock.readLock().acquireAsync();
        long claims = store.claims;
        first.close();
        assertThat(store.claims).isEqualTo(claims);
        second.close();
        assertThat(writer).isDone();
        assertThat(store.claims).isEqualTo(claims + 1);
        writer.join().close();
        assertThat(reader).isDone();
        assertThat(also).isDone();
        assertThat(later).isNotDone();
        assertThat(last).isNotDone();
        assertThat(store.claims).isEqualTo(claims + 3);
        reader.join().close();
        also.join().close();
        later.join().close();
        last.join().close();
    }

    @Test
    @DisplayName("a writer that has taken the read lock as well does not hand the write lock to others here")
    void downgradeIsNotHandedOn() {
        DistributedReadWriteLock lock = locks(engine).readWriteLock("a", LockOptions.defaults());
        lock.writeLock().lockAsync(1);
        lock.readLock().lockAsync(1);
        CompletableFuture<Void> writer = lock.writeLock().lockAsync(2);
        lock.writeLock().unlockAsync(1);
        assertThat(writer).isNotDone();
        assertThat(lock.readLock().isHeldByThread(1)).isTrue();
        CompletableFuture<Void> upgrade = lock.writeLock().lockAsync(1);
        assertThat(upgrade).isCompletedExceptionally();
        assertThat(upgrade.handle((nothing, failure) -> failure).join()).isInstanceOf(HoldfastException.class);
        assertThat(lock.writeLock().tryLockAsync(1)).isCompletedWithValue(false);
        lock.readLock().unlockAsync(1);
        time.advance(SECOND / 100);
        assertThat(writer).isDone();
        lock.writeLock().unlockAsync(2);
    }

    @Test
    @DisplayName("permits that are released in part wake who fits, and who asks for more than there are is refused")
    void permits() throws Exception {
        DistributedSemaphore semaphore = locks(engine).semaphore("s", 4, FAIR);
        semaphore.acquireAsync(4).join();
        CompletableFuture<Lease> three = locks(other).semaphore("s", 4, FAIR).acquireLeaseAsync(3);
        CompletableFuture<Lease> one = locks(other).semaphore("s", 4, FAIR).acquireLeaseAsync(1);
        semaphore.releaseAsync(1);
        assertThat(three).isNotDone();
        assertThat(one).isNotDone();
        assertThat(semaphore.addPermits(-2)).isEqualTo(2);
        assertThat(three.handle((lease, failure) -> failure).join()).isInstanceOf(StoreRefusedException.class);
        assertThat(one).isNotDone();
        semaphore.releaseAsync(2);
        assertThat(one).isDone();
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(semaphore.addPermits(1)).isEqualTo(3);
        assertThat(semaphore.drainPermits()).isEqualTo(1);
        semaphore.releaseAsync(2).join();
        one.join().close();
        assertThat(semaphore.availablePermits()).isEqualTo(3);
    }

    @Test
    @DisplayName("a multi-lock of three takes one round trip where they are free")
    void multiLockTakesOneRoundTrip() {
        Engine distant = engine(4, new ForwardingStore(memory) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
                super.claim(claim).thenAccept(outcome -> time.schedule(() -> answer.complete(outcome), SECOND / 50));
                return answer;
            }
        });
        DistributedLock lock = LockFactory.multiLock(List.of(
                locks(distant).lock("c", LockOptions.defaults()),
                locks(distant).lock("a", FAIR),
                locks(distant).readWriteLock("b", LockOptions.defaults()).readLock()));
        CompletableFuture<Lease> had = lock.acquireAsync();
        time.advance(SECOND / 50);
        assertThat(had).isDone();
        had.join().close();
        time.advance(SECOND);
        assertThat(distant.inUse()).isZero();
    }

    @Test
    @DisplayName("a lock that its owner had before a multi-lock with a lease time is kept by the watchdog as before")
    void multiLockLeavesTheWatchdog() {
        DistributedLock before = locks(engine).lock("a", LockOptions.defaults());
        DistributedLock busy = locks(other).lock("b", LockOptions.defaults());
        DistributedLock both =
                LockFactory.multiLock(List.of(before, locks(engine).lock("b", LockOptions.defaults())));
        busy.lockAsync(7).join();
        before.lockAsync(1).join();
        CompletableFuture<Void> waiting = both.lockAsync(5, TimeUnit.SECONDS, 1);
        time.advance(SECOND);
        busy.unlockAsync(7).join();
        time.advance(SECOND);
        waiting.join();
        both.unlockAsync(1).join();
        time.advance(100 * SECOND);
        assertThat(before.isLocked()).isTrue();
        before.unlockAsync(1).join();
    }

    @Test
    @DisplayName("the lease of a multi-lock counts from when all of it is had, and is exact whatever it waited")
    void multiLockLeaseIsExact() {
        Lease busy =
                locks(other).lock("b", LockOptions.defaults()).acquireAsync().join();
        DistributedLock lock = LockFactory.multiLock(List.of(
                locks(engine).lock("b", FAIR),
                locks(engine).lock("a", FAIR),
                locks(engine).lock("c", FAIR)));
        CompletableFuture<Void> had = lock.lockAsync(2, TimeUnit.SECONDS, 1);
        time.advance(10 * SECOND);
        assertThat(had).isNotDone();
        busy.close();
        time.advance(0);
        assertThat(had).isDone();
        time.advance(19 * SECOND / 10);
        assertThat(lock.isHeldByThread(1)).isTrue();
        time.advance(SECOND / 10);
        assertThat(lock.isHeldByThread(1)).isFalse();
        assertThat(lock.unlockAsync(1).handle((nothing, failure) -> failure).join())
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName(
            "who has lost a part of a multi-lock is told so when it enters again, and does not wait with the rest in hand")
    void multiLockLostInPart() {
        DistributedLock lock = LockFactory.multiLock(List.of(
                locks(engine).lock("a", LockOptions.defaults()), locks(engine).lock("b", LockOptions.defaults())));
        lock.lockAsync(1).join();
        memory.forceRelease(Resource.lock("a"), OptionalLong.empty());
        locks(other).lock("a", LockOptions.defaults()).lockAsync(9).join();
        time.advance(11 * SECOND);
        CompletableFuture<Void> again = lock.lockAsync(1);
        assertThat(again.handle((nothing, failure) -> failure).join()).isInstanceOf(LeaseLostException.class);
        assertThat(lock.unlockAsync(1).handle((nothing, failure) -> failure).join())
                .isInstanceOf(LeaseLostException.class);
        locks(other).lock("a", LockOptions.defaults()).unlockAsync(9).join();
    }

    @Test
    @DisplayName("a place outlives a command that gets no answer, however patient the client is")
    void placeOutlivesALostCommand() {
        boolean[] lose = {false};
        Engine patient = new Engine(
                new Identity("00000000-0000-4000-8000-000000000005", "test", "localhost", 5),
                new SystemNonces(),
                new ForwardingStore(memory) {
                    @Override
                    public CompletionStage<ClaimResult> claim(Claim claim) {
                        if (lose[0]) {
                            lose[0] = false;
                            return new CompletableFuture<>();
                        }
                        return super.claim(claim);
                    }
                },
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                time,
                time,
                Runnable::run,
                List.of());
        Lease held = locks(engine).lock("a", FAIR).acquireAsync().join();
        CompletableFuture<Lease> first = locks(patient).lock("a", FAIR).acquireAsync();
        CompletableFuture<Lease> second = locks(other).lock("a", FAIR).acquireAsync();
        lose[0] = true;
        held.close(); // calls the first, whose claim is lost
        time.advance(SECOND + SECOND / 10);
        assertThat(first).isDone();
        assertThat(second).isNotDone();
        first.join().close();
        second.join().close();
        time.advance(20 * SECOND); // the lost one might have been answered until then
        assertThat(patient.inUse()).isZero();
    }
}
