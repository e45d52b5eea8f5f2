package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.Claimant;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Mode;
import io.holdfast.spi.SemaphoreStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Permits over all clients of a store. */
public abstract class SemaphoreContract extends Contract {

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

    private DistributedSemaphore fair(Holdfast client) {
        return client.semaphore(name, 3, LockOptions.defaults().fair());
    }

    @Essential
    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("lets as many in as it has permits, and never one more")
    void letsInAsManyAsItHas(boolean fair) throws Exception {
        Set<Thread> inside = ConcurrentHashMap.newKeySet();
        AtomicInteger most = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client();
            for (int t = 0; t < 3; t++) {
                DistributedSemaphore semaphore = fair ? fair(client) : of(client);
                all.add(actor("t" + t).starts(() -> {
                    for (int i = 0; i < 20; i++) {
                        semaphore.acquire();
                        inside.add(Thread.currentThread());
                        most.accumulateAndGet(inside.size(), Math::max);
                        if (i == 0) { // a slow store must not keep them apart
                            until("another is inside", SOON, () -> most.get() > 1);
                        }
                        LockSupport.parkNanos(500_000);
                        inside.remove(Thread.currentThread());
                        semaphore.release();
                    }
                }));
            }
        }
        awaitAll(all);
        assertThat(most).hasValueBetween(2, 3);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("gets permits back from another client by the token of their grant, and tells the one that took them")
    void isGivenBackByToken() throws Exception {
        DistributedSemaphore semaphore = client().semaphore(name, 3);
        DistributedSemaphore other = client().semaphore(name, 3);
        Lease given = semaphore.acquireLease(2, LONG);
        Lease kept = semaphore.acquireLease(1);
        assertThat(other.tryRelease(given.token())).isTrue();
        assertThat(other.tryRelease(given.token())).as("once").isFalse();
        assertThat(await(other.tryReleaseAsync(Long.MAX_VALUE))).as("no grant").isFalse();
        assertThat(other.availablePermits()).isEqualTo(2);
        assertThatThrownBy(given::close).isInstanceOf(LeaseLostException.class);
        assertThat(kept.isValid()).isTrue();
        assertThat(other.tryAcquire(2)).isTrue();
        kept.close();
        other.release(2);
        assertThat(other.availablePermits()).isEqualTo(3);
    }

    @Test
    @DisplayName("takes a part of a lease's permits back, and the lease keeps the others")
    void isGivenBackInPart() throws Exception {
        DistributedSemaphore semaphore = client().semaphore(name, 5);
        DistributedSemaphore other = client().semaphore(name, 5);
        Lease lease = semaphore.acquireLease(5);
        semaphore.release(lease, 2);
        assertThat(other.availablePermits()).isEqualTo(2);
        assertThat(lease.isValid()).isTrue();
        assertThatThrownBy(() -> semaphore.release(lease, 4)).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> other.release(lease, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.release(lease, 0)).isInstanceOf(IllegalArgumentException.class);
        semaphore.release(lease, 3);
        assertThat(other.availablePermits()).isEqualTo(5);
        assertThat(lease.isValid()).isFalse();
        assertThatThrownBy(() -> semaphore.release(lease, 1)).isInstanceOf(IllegalMonitorStateException.class);
        Lease forced = semaphore.acquireLease(2);
        assertThat(other.tryRelease(forced.token())).isTrue();
        assertThatThrownBy(() -> semaphore.release(forced, 1)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @DisplayName("gives no permits at once to a caller that asks for none, as the JDK's does")
    void givesNone() throws Exception {
        DistributedSemaphore semaphore = client().semaphore(name, 1);
        semaphore.acquire();
        semaphore.acquire(0);
        semaphore.acquireUninterruptibly(0);
        assertThat(semaphore.tryAcquire(0)).isTrue();
        await(semaphore.acquireAsync(0));
        assertThat(await(semaphore.tryAcquireAsync(0))).isTrue();
        semaphore.release(0);
        assertThat(semaphore.availablePermits()).isZero();
        assertThatThrownBy(() -> semaphore.acquireLease(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.acquire(-1)).isInstanceOf(IllegalArgumentException.class);
        semaphore.release();
    }

    @Test
    @DisplayName("gives any number of permits at once, and takes any number of them back, from any thread")
    void givesAnyNumber() throws Exception {
        DistributedSemaphore semaphore = of(client());
        DistributedSemaphore other = of(client());
        assertThat(semaphore.getName()).isEqualTo(name);
        semaphore.acquire(2);
        assertThat(semaphore.tryAcquire()).isTrue();
        assertThat(other.tryAcquire()).isFalse();
        assertThat(other.availablePermits()).isZero();
        assertThat(other.getPermits()).isEqualTo(3);
        actor("bob").does(semaphore::release);
        assertThat(other.availablePermits()).isEqualTo(1);
        assertThat(other.tryAcquire(2)).isFalse();
        assertThat(other.tryAcquire(1)).isTrue();
        semaphore.release();
        assertThat(other.availablePermits()).as("one of two was given back").isEqualTo(1);
        assertThat(other.tryAcquire(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThatThrownBy(() -> semaphore.release(2)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(other.availablePermits()).as("none was given back").isZero();
        semaphore.release();
        other.release(2);
        assertThat(semaphore.availablePermits()).isEqualTo(3);
        assertThatThrownBy(semaphore::release).isInstanceOf(IllegalMonitorStateException.class);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("drains what is free")
    void drains() throws Exception {
        DistributedSemaphore semaphore = of(client());
        DistributedSemaphore other = of(client());
        other.acquire();
        assertThat(semaphore.drainPermits()).isEqualTo(2);
        assertThat(semaphore.drainPermits()).isZero();
        assertThat(other.availablePermits()).isZero();
        semaphore.release(2);
        assertThat(other.availablePermits()).isEqualTo(2);
        other.release();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("has as many permits as the first one said, and as were added or taken away since")
    void addsPermits() throws Exception {
        DistributedSemaphore semaphore = of(client());
        semaphore.acquire(3);
        DistributedSemaphore other = client().semaphore(name, 100);
        assertThat(other.getPermits()).isEqualTo(3);
        assertThat(other.addPermits(2)).isEqualTo(5);
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        assertThat(other.addPermits(-4)).isEqualTo(1);
        assertThat(semaphore.availablePermits())
                .as("there were more when they were taken")
                .isEqualTo(-2);
        semaphore.release(2);
        assertThat(other.tryAcquire()).isFalse();
        semaphore.release();
        assertThat(other.tryAcquire()).isTrue();
        assertThat(other.addPermits(-10)).as("not below zero").isZero();
        other.release();
    }

    @Essential
    @Test
    @DisplayName("wakes those who wait when permits are added") // Redisson's stay blocked
    void wakesByAddedPermits() throws Exception {
        DistributedSemaphore semaphore = of(client());
        of(client()).acquire(3);
        Actor bob = actor("bob");
        Future<?> got = bob.starts(() -> semaphore.acquire(2));
        onlooker.seesWaiting(1);
        DistributedSemaphore other = of(client());
        other.addPermits(1);
        throughout("one is not enough", Duration.ofMillis(50), () -> !got.isDone());
        long start = System.nanoTime();
        other.addPermits(1);
        await(got);
        assertThat(since(start)).isLessThan(SLACK);
        bob.does(() -> semaphore.release(2));
    }

    @Test
    @DisplayName("adds permits once though answers are lost")
    void addsPermitsOnce() throws Exception {
        DistributedSemaphore lossy = of(client(new LossyStore(store().newStore()), LONG));
        for (int i = 1; i <= 6; i++) {
            assertThat(lossy.addPermits(1)).isEqualTo(3 + i);
        }
        assertThat(of(client()).availablePermits()).isEqualTo(9);
    }

    @Essential
    @Test
    @DisplayName("is taken and given back, in part too, though answers are lost")
    void survivesLostAnswers() throws Exception {
        DistributedSemaphore lossy = of(client(new LossyStore(store().newStore()), LONG));
        for (int i = 0; i < 5; i++) {
            lossy.acquire(3);
            lossy.release();
            lossy.release(2);
        }
        assertThat(of(client()).availablePermits()).isEqualTo(3);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("refuses more permits than it has at once, and to those who wait when it has fewer")
    void refusesMoreThanItHas() throws Exception {
        DistributedSemaphore semaphore = of(client());
        for (Actor.Step way : List.<Actor.Step>of(
                () -> semaphore.acquire(4),
                () -> semaphore.acquireUninterruptibly(4),
                () -> semaphore.tryAcquire(4),
                () -> semaphore.tryAcquire(4, 60, TimeUnit.SECONDS),
                () -> semaphore.acquireLease(4),
                () -> await(semaphore.acquireAsync(4)))) {
            refuses(way);
        }
        DistributedSemaphore other = fair(client());
        other.acquire();
        Actor bob = actor("bob");
        Actor carol = actor("carol");
        Future<?> tooMany = bob.starts(() -> refuses(() -> semaphore.acquire(3)));
        onlooker.seesWaiting(1);
        Future<?> fewer = carol.starts(() -> fair(client()).acquireLease(2));
        onlooker.seesWaiting(2);
        other.addPermits(-1);
        await(tooMany);
        onlooker.seesOnly(1);
        other.release();
        await(fewer);
    }

    private static void refuses(Actor.Step way) {
        assertThatThrownBy(way::run)
                .isInstanceOfSatisfying(
                        StoreRefusedException.class,
                        e -> assertThat(e.retryable()).isFalse());
    }

    @Test
    @DisplayName("keeps what was taken without a lease time, and what was given back in part for as long")
    void isKept() throws Exception {
        DistributedSemaphore semaphore = of(client(KEPT));
        DistributedSemaphore other = of(client());
        semaphore.acquire(3);
        semaphore.release();
        other.acquire();
        throughout("they are kept", OUTLASTING, () -> !other.tryAcquire());
        semaphore.release(2);
        assertThat(other.tryAcquire(2)).isTrue();
        other.release(3);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("gets back what was taken for a time, and tells who gives it back")
    void endsByItsLease() throws Exception {
        List<String> lost = new CopyOnWriteArrayList<>();
        DistributedSemaphore semaphore =
                of(client(builder -> builder.lease(LONG).listener(new LockListener() {
                    @Override
                    public void lost(LockEvent.Lost event) {
                        lost.add(event.name());
                    }
                })));
        long start = System.nanoTime();
        semaphore.acquire(2, SHORT);
        semaphore.acquire();
        DistributedSemaphore other = of(client());
        assertThat(other.tryAcquire(2)).isFalse();
        assertThat(other.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
        assertThat(since(start)).isBetween(SHORT.minus(SHORT.dividedBy(10)), SHORT.plus(SLACK));
        eventually(SOON, () -> assertThat(lost).containsExactly(name));
        assertThatThrownBy(() -> semaphore.release(3)).isInstanceOf(LeaseLostException.class);
        assertThat(other.availablePermits())
                .as("the one that was not lost is back")
                .isEqualTo(1);
        other.release(2);
        onlooker.seesNobody();
    }

    /** Waiters one behind the other, each for that many permits. */
    private List<Future<?>> queueUp(List<Integer> order, List<Integer> permits, boolean fair) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < permits.size(); i++) {
            Holdfast client = client();
            DistributedSemaphore semaphore = fair ? fair(client) : of(client);
            int number = i;
            int wanted = permits.get(i);
            all.add(actor("waiter-" + i).starts(() -> {
                semaphore.acquire(wanted);
                order.add(number);
                semaphore.release(wanted);
            }));
            onlooker.seesWaiting(i + 1);
        }
        return all;
    }

    @Essential
    @ParameterizedTest(name = "fair: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("serves those who wait in order, also those who want few behind one who wants many")
    void servesInOrder(boolean fair) throws Exception {
        DistributedSemaphore held = of(client());
        held.acquire(3);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> all = queueUp(order, List.of(3, 2, 3, 2, 3), fair);
        assertThat(onlooker.sees().waiters()).extracting(Claimant::permits).containsExactly(3, 2, 3, 2, 3);
        held.release();
        throughout("one is not enough for the first", Duration.ofMillis(50), () -> order.isEmpty());
        held.release(2);
        awaitAll(all);
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("lets a newcomer pass those who wait if it is not fair, or asks with tryAcquire")
    void barges() throws Exception {
        DistributedSemaphore held = of(client());
        held.acquire(2);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> all = queueUp(order, List.of(3), true);
        DistributedSemaphore fair = fair(client());
        DistributedSemaphore plain = of(client());
        assertThat(fair.tryAcquire(0, TimeUnit.SECONDS)).as("fair, timed").isFalse();
        assertThat(fair.tryAcquire(500, TimeUnit.MILLISECONDS))
                .as("fair, timed")
                .isFalse();
        assertThat(fair.tryAcquire()).as("fair, at once").isTrue();
        fair.release();
        assertThat(plain.tryAcquire(0, TimeUnit.SECONDS)).as("not fair").isTrue();
        plain.release();
        plain.acquire();
        plain.release();
        assertThat(order).isEmpty();
        held.release(2);
        await(all.get(0));
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("shows who has how many, who waits for how many, and how many there are")
    void shows() throws Exception {
        assertThat(onlooker.sees().permits()).isEqualTo(3);
        assertThat(onlooker.sees().isLocked()).isFalse();
        of(client(builder -> builder.clientName("first").lease(LONG))).acquire(2);
        of(client(builder -> builder.clientName("second").lease(LONG))).acquire(1);
        CompletableFuture<Void> waiting = of(client()).acquireAsync(3);
        onlooker.seesWaiting(1);
        assertThat(onlooker.sees().holders())
                .extracting(Claimant::client, Claimant::permits)
                .containsExactlyInAnyOrder(tuple("first", 2), tuple("second", 1));
        assertThat(onlooker.sees().waiters()).singleElement().satisfies(waiter -> {
            assertThat(waiter.mode()).isEqualTo(Mode.PERMITS);
            assertThat(waiter.permits()).isEqualTo(3);
        });
        assertThat(client().inspect(name).isLocked()).as("a lock of that name").isFalse();
        waiting.cancel(true);
    }

    @Test
    @DisplayName("is had in time though every hint is lost")
    void survivesLostHints() throws Exception {
        DistributedSemaphore held = of(client());
        held.acquire(3);
        DistributedSemaphore deaf = of(client(new DeafStore(store().newStore()), LONG));
        Actor bob = actor("bob");
        Future<?> got = bob.starts(() -> deaf.acquire(2));
        onlooker.seesWaiting(1);
        long start = System.nanoTime();
        held.release(3);
        await(got);
        assertThat(since(start)).isLessThan(SLACK);
        deaf.release(2);
        onlooker.seesNobody();
    }
}
