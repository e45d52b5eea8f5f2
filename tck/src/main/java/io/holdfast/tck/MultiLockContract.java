package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several locks as one. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class MultiLockContract extends Contract {

    private final String a = name("a");
    private final String b = name("b");
    private final String c = name("c");

    @SuppressWarnings("NullAway.Init")
    private Holdfast other;

    @BeforeEach
    final void look() {
        other = client();
    }

    private DistributedLock abc(Holdfast client) {
        return Holdfast.multiLock(client.lock(a), client.lock(b), client.lock(c));
    }

    private void allAreFree() throws Exception {
        for (String name : List.of(a, b, c)) {
            Onlooker.of(other, name).seesNobody();
        }
    }

    private boolean isFree(String name) {
        return !other.inspect(name).isLocked();
    }

    @Test
    @DisplayName("is all of its locks, and is free when they are")
    void isAllOfThem() throws Exception {
        DistributedLock multi = abc(client());
        multi.lock();
        for (String name : List.of(a, b, c)) {
            assertThat(other.lock(name).tryLock()).as(name).isFalse();
        }
        assertThat(multi.isLocked()).isTrue();
        multi.unlock();
        allAreFree();
        assertThat(multi.isLocked()).isFalse();
    }

    @Test
    @DisplayName("is had whole or not at all")
    void isHadWhole() throws Exception {
        DistributedLock multi = abc(client());
        for (String taken : List.of(a, b, c)) {
            DistributedLock held = other.lock(taken);
            held.lock();
            assertThat(multi.tryLock()).isFalse();
            assertThat(multi.tryLock(0, TimeUnit.SECONDS)).isFalse();
            assertThat(multi.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(multi.tryAcquire(Duration.ofMillis(500), LONG)).isEmpty();
            assertThat(await(multi.tryLockAsync(500, TimeUnit.MILLISECONDS))).isFalse();
            assertThat(multi.isHeldByCurrentThread()).isFalse();
            assertThatThrownBy(multi::unlock).isInstanceOf(IllegalMonitorStateException.class);
            held.unlock();
            allAreFree();
        }
    }

    @Test
    @DisplayName("does not wait for another in a circle, whatever order their locks are given in")
    void doesNotDeadlock() throws Exception {
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Holdfast client = client();
            DistributedLock multi = switch (i) {
                case 0 -> abc(client);
                case 1 -> Holdfast.multiLock(client.lock(c), client.lock(b), client.lock(a));
                case 2 ->
                    Holdfast.multiLock(
                            client.fairLock(b), client.readWriteLock(a).writeLock());
                default -> Holdfast.multiLock(Holdfast.multiLock(client.lock(c), client.lock(b)), client.fairLock(a));
            };
            all.add(actor("multi-" + i).starts(() -> {
                for (int round = 0; round < 15; round++) {
                    multi.lock();
                    counter.increment();
                    multi.unlock();
                }
            }));
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(60);
        allAreFree();
    }

    @Test
    @DisplayName("has one time to wait for all of its locks")
    void hasOneTimeOut() throws Exception {
        DistributedLock multi = abc(client());
        DistributedLock first = other.lock(a);
        DistributedLock second = other.lock(b);
        first.lock();
        second.lock();
        Actor bob = actor("bob");
        long start = System.nanoTime();
        Future<Boolean> had = bob.begins(() -> multi.tryLock(4, TimeUnit.SECONDS));
        Thread.sleep(3_500); // time is what it is about: most of it is gone
        first.unlock(); // then it waits for the second, and not for as long again
        assertThat(await(had)).isFalse();
        assertThat(since(start)).isBetween(Duration.ofMillis(3_990), Duration.ofMillis(7_400));
        second.unlock();
        allAreFree();
    }

    @Test
    @DisplayName("is given back when the wait for it is interrupted") // Redisson's swallows the interrupt
    void isGivenBackOnInterrupt() throws Exception {
        DistributedLock multi = abc(client());
        DistributedLock held = other.lock(c);
        held.lock();
        for (Actor.Step way : List.<Actor.Step>of(
                multi::lockInterruptibly,
                () -> multi.lockInterruptibly(10, TimeUnit.SECONDS),
                () -> multi.tryLock(60, TimeUnit.SECONDS),
                () -> multi.tryLock(LONG, LONG),
                multi::acquire)) {
            Actor bob = actor("bob");
            Future<?> interrupted =
                    bob.starts(() -> assertThatThrownBy(way::run).isInstanceOf(InterruptedException.class));
            until("it has the others", SOON, () -> !isFree(a) && !isFree(b));
            bob.interrupt();
            await(interrupted);
            until("they are given back", SOON, () -> isFree(a) && isFree(b));
        }
        held.unlock();
        allAreFree();
    }

    @Test
    @DisplayName("is given back when it is cancelled, and when its client is closed")
    void isGivenBackOnCancel() throws Exception {
        Holdfast client = client();
        DistributedLock multi = abc(client);
        DistributedLock held = other.lock(c);
        held.lock();
        CompletableFuture<Void> cancelled = multi.lockAsync();
        until("it has the others", SOON, () -> !isFree(a) && !isFree(b));
        cancelled.cancel(true);
        until("they are given back", SOON, () -> isFree(a) && isFree(b));
        CompletableFuture<Lease> closed = multi.acquireAsync();
        until("it has the others", SOON, () -> !isFree(a) && !isFree(b));
        client.close();
        assertThatThrownBy(() -> await(closed)).isInstanceOf(RuntimeException.class);
        held.unlock();
        allAreFree();
    }

    @Test
    @DisplayName("is given back when one of its stores fails")
    void isGivenBackOnFailure() throws Exception {
        LockStore failing = new ForwardingStore(store().newStore()) {
            @Override
            public CompletionStage<ClaimResult> claim(Claim claim) {
                return CompletableFuture.failedStage(new StoreUnavailableException("down on purpose"));
            }
        };
        Holdfast down = opened(Holdfast.builder()
                .store(failing)
                .timeout(Duration.ofMillis(300))
                .build());
        DistributedLock multi = Holdfast.multiLock(client().lock(a), down.lock(b), client().lock(c));
        assertThatThrownBy(multi::lock).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(multi::tryLock).isInstanceOf(StoreUnavailableException.class);
        allAreFree();
    }

    @Test
    @DisplayName("has the lease that was asked for, no more and no less, also when it had to be waited for")
    void hasTheLeaseThatWasAskedFor() throws Exception {
        // Redisson's is a thousand times as long after a round that failed.
        DistributedLock multi = abc(client());
        Duration lease = LONG.multipliedBy(10);
        for (String taken : List.of("", a, c)) {
            Actor bob = actor("bob");
            if (!taken.isEmpty()) {
                other.lock(taken).lock();
            }
            Future<?> had = bob.starts(() -> multi.lock(lease));
            if (!taken.isEmpty()) {
                until("bob waits", SOON, bob::isWaiting);
                other.lock(taken).unlock();
            }
            await(had);
            for (String name : List.of(a, b, c)) {
                assertThat(other.lock(name).remainTimeToLive())
                        .as(name)
                        .isBetween(lease.minusSeconds(20).toMillis(), lease.toMillis());
            }
            assertThat(bob.gets(() -> multi.lease().remaining())).isBetween(lease.minusSeconds(20), lease);
            bob.does(multi::unlock);
            allAreFree();
        }
    }

    @Simulated
    @Test
    @DisplayName("ends by itself when its lease is over, also when it had to be waited for")
    void endsByItself() throws Exception {
        DistributedLock multi = abc(client(SHORT));
        DistributedLock held = other.lock(b);
        held.lock();
        Future<Lease> had = actor("bob").begins(() -> multi.acquire(SHORT));
        // At some time for good: first all are asked for at once, and given back, however long that takes.
        eventually(SOON, () -> throughout("it keeps the first", SHORT.multipliedBy(2), () -> !isFree(a)));
        held.unlock();
        Lease lease = await(had);
        long start = now();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(SHORT);
        allAreFree();
        assertThat(since(start)).isLessThan(SHORT.plus(SLACK));
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Simulated
    @Test
    @DisplayName("is kept by the watchdog, each of its locks")
    void isKept() throws Exception {
        DistributedLock multi = abc(client(KEPT));
        multi.lock();
        throughout("all are held", OUTLASTING, () -> !isFree(a) && !isFree(b) && !isFree(c));
        assertThat(multi.isHeldByCurrentThread()).isTrue();
        multi.unlock();
        allAreFree();
    }

    @Simulated
    @Test
    @DisplayName("is lost when one of its locks is, which is told once; the others are given back")
    void isLostWithOne() throws Exception {
        DistributedLock multi = abc(client(KEPT));
        for (String lost : List.of(a, b, c)) {
            AtomicInteger told = new AtomicInteger();
            multi.lock();
            Lease lease = multi.lease();
            lease.onLost(same -> told.incrementAndGet());
            assertThat(other.forceUnlock(lost)).isTrue();
            until("it is told", SOON, () -> told.get() == 1);
            assertThat(lease.isValid()).isFalse();
            assertThat(multi.isHeldByCurrentThread()).isFalse();
            assertThatThrownBy(multi::unlock).isInstanceOf(LeaseLostException.class);
            allAreFree();
            assertThat(told).hasValue(1);
        }
    }

    @Test
    @DisplayName("can be entered again, and shares its locks with their owner")
    void isReentrant() throws Exception {
        Holdfast client = client();
        DistributedLock multi = abc(client);
        DistributedLock single = client.lock(b);
        single.lock();
        multi.lock();
        assertThat(multi.tryLock()).isTrue();
        assertThat(multi.getHoldCount()).isEqualTo(2);
        assertThat(single.getHoldCount()).isEqualTo(3);
        multi.unlock();
        multi.unlock();
        assertThat(isFree(a)).isTrue();
        assertThat(isFree(c)).isTrue();
        assertThat(single.isHeldByCurrentThread()).isTrue();
        assertThat(multi.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(multi::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(single.isHeldByCurrentThread())
                .as("it was not given back in part")
                .isTrue();
        single.unlock();
        allAreFree();
    }

    @Test
    @DisplayName("can be of several clients, and of the same name in two of them never")
    void spansClients() throws Exception {
        Holdfast first = client();
        Holdfast second = client();
        DistributedLock multi = Holdfast.multiLock(
                first.lock(a), second.lock(b), second.readWriteLock(c).readLock());
        assertThat(multi.tryLock()).isTrue();
        assertThat(isFree(a) || isFree(b) || isFree(c)).isFalse();
        assertThat(other.readWriteLock(c).readLock().tryLock()).isTrue();
        other.readWriteLock(c).readLock().unlock();
        assertThat(multi.lease().token()).isEqualTo(first.lock(a).lease().token());
        multi.unlock();
        DistributedLock twice = Holdfast.multiLock(first.lock(a), second.lock(a));
        assertThat(twice.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        allAreFree();
        assertThatThrownBy(() -> Holdfast.multiLock(first.lock(a), first.fairLock(a)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(Holdfast::multiLock).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("belongs to a handle as well")
    void isHeldByAHandle() throws Exception {
        DistributedLock multi = abc(client());
        Lease lease = multi.acquire();
        assertThat(multi.isHeldByCurrentThread()).isFalse();
        assertThat(multi.tryLock()).isFalse();
        lease.extend(LONG.multipliedBy(10));
        assertThat(other.lock(c).remainTimeToLive())
                .isGreaterThan(LONG.multipliedBy(5).toMillis());
        actor("bob").does(lease::close);
        lease.close();
        allAreFree();
    }
}
