package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of {@link java.util.concurrent.locks.Lock}, over several clients. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class LockContract extends Contract {

    @Essential
    @Test
    @DisplayName("is held by one thread of one client at a time")
    void excludes() throws Exception {
        String name = name();
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Holdfast client = client();
            for (int t = 0; t < 3; t++) {
                all.add(actor("c" + c + "t" + t).starts(() -> {
                    DistributedLock lock = client.lock(name);
                    for (int i = 0; i < 60; i++) {
                        lock.lock();
                        try {
                            counter.increment();
                        } finally {
                            lock.unlock();
                        }
                    }
                }));
            }
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(3 * 3 * 60);
    }

    @Test
    @DisplayName("is held by one at a time when it is taken in every way that there is")
    void excludesInEveryWay() throws Exception {
        String name = name();
        RacyCounter counter = new RacyCounter();
        List<Future<?>> all = new ArrayList<>();
        List<Holdfast> clients = List.of(client(), client(), client());
        for (Wait way : Wait.values()) {
            Holdfast client = clients.get(all.size() % clients.size());
            all.add(actor(way.name()).starts(() -> {
                for (int i = 0; i < 15; i++) {
                    way.untilHeld(client.lock(name), SOON, LONG, counter::increment);
                }
            }));
        }
        awaitAll(all);
        assertThat(counter.value()).isEqualTo(Wait.values().length * 15);
    }

    @Test
    @DisplayName("does not stand in the way of another name")
    void isIndependent() {
        Holdfast client = client();
        Holdfast other = client();
        client.lock(name("a")).lock();
        assertThat(other.lock(name("b")).tryLock()).isTrue();
        assertThat(client.lock(name("c")).tryLock()).isTrue();
    }

    @Essential
    @Test
    @DisplayName("is free for everybody as soon as unlock() returns")
    void isFreeAfterUnlock() {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        for (int i = 0; i < 20; i++) {
            assertThat(lock.tryLock()).as("round %d", i).isTrue();
            assertThat(other.tryLock()).isFalse();
            lock.unlock();
            assertThat(other.tryLock()).as("round %d", i).isTrue();
            other.unlock();
        }
    }

    @Test
    @DisplayName("that is taken is not waited for by tryLock()")
    void doesNotWait() throws Exception {
        String name = name();
        Holdfast client = client();
        client.lock(name).lock();
        DistributedLock other = client().lock(name);
        long start = System.nanoTime();
        assertThat(other.tryLock()).isFalse();
        assertThat(other.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(other.tryLock(-1, TimeUnit.HOURS)).isFalse();
        assertThat(other.tryLock(Duration.ZERO, LONG)).isFalse();
        assertThat(actor("bob").gets(() -> client.lock(name).tryLock())).isFalse();
        assertThat(since(start)).isLessThan(SLACK);
    }

    @Test
    @DisplayName("that is given back meanwhile goes to a thread that waits for a time")
    void isGotWhileWaiting() throws Exception {
        String name = name();
        Holdfast client = client();
        for (Holdfast other : List.of(client, client())) {
            client.lock(name).lock();
            Actor bob = actor("bob");
            Future<Boolean> got = bob.begins(() -> other.lock(name).tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS));
            until("bob waits", SOON, bob::isWaiting);
            throughout("bob waits", Duration.ofMillis(50), () -> !got.isDone());
            client.lock(name).unlock();
            assertThat(await(got)).isTrue();
            bob.does(() -> other.lock(name).unlock());
        }
    }

    @Essential
    @Test
    @DisplayName("wakes a waiter of another client when it is given back, long before it would look again")
    void wakesOthers() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        Actor bob = actor("bob");
        Duration quickest = LONG;
        for (int i = 0; i < 15 && quickest.compareTo(SOONER_THAN_A_LOOK) >= 0; i++) {
            lock.lock();
            long start = System.nanoTime();
            Future<?> got = bob.starts(other::lock);
            until("bob waits", SOON, bob::isWaiting);
            Thread.sleep(50); // until bob's client has asked the store and watches it
            lock.unlock();
            await(got);
            quickest = since(start).compareTo(quickest) < 0 ? since(start) : quickest;
            bob.does(other::unlock);
        }
        assertThat(quickest).isLessThan(SOONER_THAN_A_LOOK);
    }

    @Essential
    @Test
    @DisplayName("goes to other clients though the threads of one keep it among themselves")
    void starvesNobody() throws Exception {
        String name = name();
        Holdfast busy = client();
        AtomicBoolean enough = new AtomicBoolean();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(actor("busy-" + i).starts(() -> {
                DistributedLock lock = busy.lock(name);
                while (!enough.get()) {
                    lock.lock();
                    lock.unlock();
                }
            }));
        }
        DistributedLock other = client().lock(name);
        try {
            for (int i = 0; i < 5; i++) {
                assertThat(other.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS))
                        .isTrue();
                other.unlock();
            }
        } finally {
            enough.set(true);
        }
        awaitAll(all);
    }

    @Test
    @DisplayName("goes from one to the next, however many wait and give up")
    void survivesTurmoil() throws Exception {
        String name = name();
        List<Holdfast> clients = List.of(client(), client());
        RacyCounter counter = new RacyCounter();
        List<Future<Integer>> all = new ArrayList<>();
        for (int t = 0; t < 12; t++) {
            DistributedLock lock = clients.get(t % 2).lock(name);
            int number = t;
            all.add(actor("t" + t).begins(() -> {
                int got = 0;
                for (int i = 0; i < 20; i++) {
                    // Some waits are so short that many of them end in vain.
                    if (lock.tryLock(number % 3 == 0 ? 2_000 : number % 3, TimeUnit.MILLISECONDS)) {
                        counter.increment();
                        got++;
                        lock.unlock();
                    }
                }
                return got;
            }));
        }
        int got = 0;
        for (Future<Integer> one : all) {
            got += await(one);
        }
        assertThat(counter.value()).isEqualTo(got);
        Eventually.settles(
                "nobody has it", SOON, () -> !clients.get(0).lock(name).isLocked());
    }
}
