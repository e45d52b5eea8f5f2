package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Claimant;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.QueueingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock that is taken in the order in which it is asked for. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class FairContract extends Contract {

    private final String name = name();
    private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

    @SuppressWarnings("NullAway.Init")
    private Onlooker onlooker;

    @BeforeEach
    final void look() {
        needs(QueueingStore.class);
        onlooker = Onlooker.of(client(), name);
    }

    private DistributedLock fair() {
        return client().fairLock(name);
    }

    /** A waiter for the lock, which records when it was granted. */
    private Future<?> queuesUp(int number, DistributedLock lock) throws Exception {
        int before = onlooker.sees().waiters().size();
        Future<?> served = actor("waiter-" + number).starts(() -> {
            lock.lock();
            order.add(number);
            lock.unlock();
        });
        onlooker.seesWaiting(before + 1);
        return served;
    }

    @Essential
    @Test
    @DisplayName("serves those who wait in the order in which they came, whichever client they are of")
    void servesInOrder() throws Exception {
        List<Holdfast> clients = List.of(client(), client(), client());
        DistributedLock held = clients.get(0).fairLock(name);
        List<Future<?>> all = new ArrayList<>();
        held.lock();
        for (int i = 0; i < 12; i++) {
            all.add(queuesUp(i, clients.get(i * 7 / 3 % 3).fairLock(name)));
        }
        held.unlock();
        awaitAll(all);
        assertThat(order)
                .containsExactlyElementsOf(IntStream.range(0, 12).boxed().toList());
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("is held by one thread of one client at a time")
    void excludes() throws Exception {
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client();
            for (int t = 0; t < 3; t++) {
                // Some of them barge.
                DistributedLock lock = t == 0 ? client.lock(name) : client.fairLock(name);
                all.add(actor("t" + t).starts(() -> {
                    for (int i = 0; i < 25; i++) {
                        lock.lock();
                        counter.increment();
                        lock.unlock();
                    }
                }));
            }
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(3 * 3 * 25);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("shows who waits, in order")
    void showsTheQueue() throws Exception {
        Holdfast first = client(builder -> builder.clientName("first"));
        Holdfast second = client(builder -> builder.clientName("second"));
        DistributedLock held = fair();
        held.lock();
        List<Future<?>> all = List.of(
                queuesUp(0, first.fairLock(name)),
                queuesUp(1, second.fairLock(name)),
                queuesUp(2, first.fairLock(name)));
        List<Claimant> waiters = onlooker.sees().waiters();
        assertThat(waiters).extracting(Claimant::client).containsExactly("first", "second", "first");
        assertThat(waiters)
                .extracting(Claimant::thread)
                .containsExactly("tck-waiter-0", "tck-waiter-1", "tck-waiter-2");
        assertThat(waiters).extracting(Claimant::mode).containsOnly(Mode.EXCLUSIVE);
        held.unlock();
        awaitAll(all);
    }

    @Test
    @DisplayName("forgets at once who times out, is interrupted or cancels, and goes to the next one")
    void forgetsWhoLeaves() throws Exception {
        DistributedLock held = fair();
        DistributedLock waiting = fair();
        held.lock();
        Actor timed = actor("timed");
        Future<Boolean> timedOut = timed.begins(() -> waiting.tryLock(4, TimeUnit.SECONDS));
        onlooker.seesWaiting(1);
        Actor bob = actor("bob");
        Future<?> interrupted = bob.starts(
                () -> assertThatThrownBy(waiting::lockInterruptibly).isInstanceOf(InterruptedException.class));
        onlooker.seesWaiting(2);
        CompletableFuture<Void> cancelled = waiting.lockAsync(42);
        onlooker.seesWaiting(3);
        Future<?> stays = queuesUp(0, fair());
        bob.interrupt();
        await(interrupted);
        onlooker.seesOnly(3);
        cancelled.cancel(true);
        onlooker.seesOnly(2);
        assertThat(await(timedOut)).isFalse();
        onlooker.seesOnly(1);
        long start = System.nanoTime();
        held.unlock();
        await(stays);
        assertThat(since(start)).isLessThan(Duration.ofMillis(2_500));
        onlooker.seesNobody();
    }

    @Essential
    @Test
    @DisplayName("goes on at once when those in front leave after it became free")
    void goesOnWhenTheFrontLeaves() throws Exception {
        Claims claims = new Claims(openStore());
        Claim front = waitsForAFreeLock(claims);
        Future<?> stays = queuesUp(0, fair());
        long start = System.nanoTime();
        claims.release(front);
        await(stays);
        assertThat(since(start)).isLessThan(Duration.ofSeconds(1));
    }

    /** A ticket at the head of the queue of a lock without a holder. */
    private Claim waitsForAFreeLock(Claims claims) throws Exception {
        Claim held = claims.exclusive(name, QueuePolicy.BARGES);
        claims.granted(held);
        Claim waiting = claims.exclusive(name, QueuePolicy.QUEUES);
        claims.refused(waiting);
        claims.release(held);
        return waiting;
    }

    @Essential
    @Test
    @DisplayName("wakes one waiter when it is given back, and not the others")
    void wakesOne() throws Exception {
        CountingStore counted = new CountingStore(store().newStore());
        Holdfast client = client(counted, LONG);
        DistributedLock lock = client.fairLock(name);
        DistributedLock held = fair();
        held.lock();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(lock.lockAsync(i));
            onlooker.seesWaiting(i + 1);
        }
        int before = counted.claims();
        held.unlock();
        await(all.get(0));
        throughout("the others wait", Duration.ofMillis(200), () -> !all.get(1).isDone());
        assertThat(counted.claims() - before).isLessThanOrEqualTo(4);
        for (int i = 0; i < 10; i++) {
            await(all.get(i));
            await(lock.unlockAsync(i));
        }
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is taken by tryLock() whoever waits, but not over and over, and not by a timed one, even of no time")
    void barges() throws Exception {
        Claims claims = new Claims(openStore());
        Claim front = waitsForAFreeLock(claims);
        DistributedLock lock = fair();
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        claims.renew(front);
        assertThat(lock.tryLock()).isTrue();
        assertThat(onlooker.sees().waiters()).hasSize(1);
        lock.unlock();
        assertThat(lock.tryLock()).as("it has just had its turn").isFalse();
        DistributedLock another = fair();
        assertThat(await(another.tryLockAsync())).isTrue();
        another.unlock();
        claims.granted(front);
        claims.release(front);
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("keeps a plain lock of its name out, and is kept out by it")
    void excludesThePlainLock() throws Exception {
        DistributedLock plain = client().lock(name);
        DistributedLock fair = fair();
        fair.lock();
        assertThat(plain.tryLock()).isFalse();
        Actor bob = actor("bob");
        Future<?> got = bob.starts(plain::lock);
        until("bob waits", SOON, bob::isWaiting);
        fair.unlock();
        await(got);
        assertThat(fair.tryLock()).isFalse();
        Future<?> served = queuesUp(0, fair);
        bob.does(plain::unlock);
        await(served);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("goes to a plain waiter of the same client who tried in vain before")
    void goesToThePlainWaiter() throws Exception {
        Holdfast client = client();
        DistributedLock fair = client.fairLock(name);
        DistributedLock plain = client.lock(name);
        fair.lock();
        Actor bob = actor("bob");
        assertThat(bob.gets(() -> plain.tryLock())).isFalse();
        assertThat(bob.gets(() -> plain.tryLock(10, TimeUnit.MILLISECONDS))).isFalse();
        Future<?> got = bob.starts(plain::lock);
        until("bob waits", SOON, bob::isWaiting);
        fair.unlock();
        await(got);
        bob.does(plain::unlock);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("and the plain lock of its name are one for their owner")
    void isOneLockWithThePlain() throws Exception {
        Holdfast client = client();
        DistributedLock plain = client.lock(name);
        DistributedLock fair = client.fairLock(name);
        for (List<DistributedLock> pair : List.of(List.of(plain, fair), List.of(fair, plain))) {
            DistributedLock first = pair.get(0);
            DistributedLock second = pair.get(1);
            first.lock();
            second.lock();
            assertThat(second.tryLock(0, TimeUnit.SECONDS)).isTrue();
            assertThat(first.tryLock()).isTrue();
            assertThat(first.getHoldCount()).isEqualTo(4);
            assertThat(second.getHoldCount()).isEqualTo(4);
            assertThat(second.lease().token()).isEqualTo(first.lease().token());
            second.unlock();
            second.unlock();
            second.unlock();
            assertThat(second.isHeldByCurrentThread()).isTrue();
            second.unlock();
            assertThat(first.isHeldByCurrentThread()).isFalse();
            onlooker.seesNobody();
        }
    }

    @Test
    @DisplayName("keeps the places of those who live for as long as they wait")
    void keepsPlaces() throws Exception {
        DistributedLock held = fair();
        held.lock();
        Future<?> first = queuesUp(0, fair());
        Future<?> second = queuesUp(1, fair());
        List<String> before =
                onlooker.sees().waiters().stream().map(Claimant::claimId).toList();
        throughout(
                "they keep their places",
                Claim.TICKET.plusMillis(1_000),
                () -> onlooker.sees().waiters().stream()
                        .map(Claimant::claimId)
                        .toList()
                        .equals(before));
        held.unlock();
        await(first);
        await(second);
        assertThat(order).containsExactly(0, 1);
    }

    @Essential
    @Test
    @DisplayName("is not held up by many dead waiters for longer than by one, nor for longer than 5 s")
    void passesTheDead() throws Exception {
        Claims dead = new Claims(openStore());
        DistributedLock held = fair();
        held.lock();
        for (int i = 0; i < 5; i++) {
            dead.refused(dead.exclusive(name, QueuePolicy.QUEUES));
        }
        Future<?> live = queuesUp(0, fair());
        long start = System.nanoTime();
        held.unlock();
        await(live);
        assertThat(since(start)).isLessThan(Duration.ofSeconds(5).plus(SLACK));
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("that is free is taken within seconds though its only waiter is dead") // Redisson: after 299 s
    void isFreeThoughTheOnlyWaiterDied() throws Exception {
        waitsForAFreeLock(new Claims(openStore()));
        DistributedLock lock = fair();
        long start = System.nanoTime();
        lock.lock();
        assertThat(since(start)).isLessThan(Duration.ofSeconds(5).plus(SLACK));
        lock.unlock();
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("is not handed on past those of other clients who came first")
    void isNotHandedOn() throws Exception {
        Holdfast client = client();
        DistributedLock held = client.fairLock(name);
        held.lock();
        Future<?> other = queuesUp(0, fair());
        Future<?> same = queuesUp(1, client.fairLock(name));
        held.unlock();
        await(other);
        await(same);
        assertThat(order).containsExactly(0, 1);
    }

    @Test
    @DisplayName("serves in order though answers are lost")
    void servesInOrderWithLostAnswers() throws Exception {
        DistributedLock held = fair();
        held.lock();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(queuesUp(i, client(new LossyStore(store().newStore()), LONG).fairLock(name)));
        }
        held.unlock();
        awaitAll(all);
        assertThat(order).containsExactly(0, 1, 2, 3);
        onlooker.seesNobody();
    }

    @Test
    @DisplayName("lets many wait and give up, and loses count of nobody")
    void survivesTurmoil() throws Exception {
        RacyCounter counter = new RacyCounter();
        AtomicInteger had = new AtomicInteger();
        List<Holdfast> clients = List.of(client(), client());
        List<Future<?>> all = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            DistributedLock lock = clients.get(t % 2).fairLock(name);
            int number = t;
            all.add(actor("t" + t).starts(() -> {
                for (int i = 0; i < 20; i++) {
                    if (lock.tryLock(number % 3 == 0 ? 5_000 : number % 4, TimeUnit.MILLISECONDS)) {
                        counter.increment();
                        had.incrementAndGet();
                        lock.unlock();
                    }
                }
            }));
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(had.get());
        onlooker.seesNobody();
    }
}
