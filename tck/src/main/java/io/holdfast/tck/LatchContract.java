package io.holdfast.tck;

import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLatch;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.spi.LatchStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A gate over all clients of a store. */
public abstract class LatchContract extends Contract {

    @BeforeEach
    final void onlyWhereThereAreLatches() {
        needs(LatchStore.class);
    }

    private final String name = name("latch");

    private DistributedLatch latch() {
        return client().latch(name);
    }

    @Essential
    @Test
    @DisplayName("is set once, counted down by anybody, and stays open")
    void opens() throws Exception {
        DistributedLatch latch = latch();
        DistributedLatch other = latch();
        assertThat(latch.getName()).isEqualTo(name);
        assertThat(other.getCount()).isZero();
        assertThat(other.await(Duration.ZERO)).as("not set is not open").isFalse();
        assertThat(latch.trySetCount(2)).isTrue();
        assertThat(other.trySetCount(5)).isFalse();
        assertThat(other.getCount()).isEqualTo(2);
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(other::await);
        until("bob waits", SOON, bob::isWaiting);
        latch.countDown();
        assertThat(other.getCount()).isEqualTo(1);
        throughout("bob waits", Duration.ofMillis(30), () -> !waiting.isDone());
        await(other.countDownAsync());
        await(waiting);
        latch.await();
        assertThat(latch.await(0, TimeUnit.SECONDS)).isTrue();
        assertThat(await(latch.awaitAsync(Duration.ZERO))).isTrue();
        latch.countDown();
        assertThat(latch.getCount()).isZero();
        assertThat(latch.trySetCount(1)).as("open is set").isFalse();
    }

    @Essential
    @Test
    @DisplayName("tells who waits long before it would look again")
    void wakes() throws Exception {
        Duration quickest = LONG;
        for (int i = 0; i < 15 && quickest.compareTo(SOONER_THAN_A_LOOK) >= 0; i++) {
            DistributedLatch latch = client().latch(name("wakes-" + i));
            DistributedLatch other = client().latch(name("wakes-" + i));
            latch.trySetCount(1);
            Actor bob = actor("bob");
            long start = System.nanoTime();
            Future<?> waiting = bob.starts(other::await);
            until("bob waits", SOON, bob::isWaiting);
            Thread.sleep(50);
            latch.countDown();
            await(waiting);
            quickest = since(start).compareTo(quickest) < 0 ? since(start) : quickest;
        }
        assertThat(quickest).isLessThan(SOONER_THAN_A_LOOK);
    }

    @Test
    @DisplayName("is counted down once by each id, in whatever client")
    void countsAnIdOnce() throws Exception {
        DistributedLatch latch = latch();
        DistributedLatch other = latch();
        latch.trySetCount(3);
        for (DistributedLatch one : List.of(latch, other)) {
            one.countDown("chunk 1");
            await(one.countDownAsync("chunk 1"));
            one.countDown("chunk 2");
        }
        assertThat(other.getCount()).isEqualTo(1);
        other.countDown("chunk 3");
        assertThat(latch.await(Duration.ZERO)).isTrue();
    }

    @Essential
    @Test
    @DisplayName("is counted down exactly though answers are lost, and who set it knows")
    void countsOnceWithLostAnswers() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        DistributedLatch setter =
                client(new LossyStore(store().newStore()), LONG).latch(name);
        int set = 0;
        for (int i = 0; i < 6; i++) {
            set += setter.trySetCount(100) ? 1 : 0;
        }
        assertThat(set).isEqualTo(1);
        for (int c = 0; c < 3; c++) {
            DistributedLatch lossy =
                    client(new LossyStore(store().newStore()), LONG).latch(name);
            all.add(actor("c" + c).starts(() -> {
                for (int i = 0; i < 10; i++) {
                    lossy.countDown();
                }
            }));
        }
        awaitAll(all);
        assertThat(latch().getCount()).isEqualTo(70);
        assertThat(setter.delete()).isTrue();
        assertThat(latch().getCount()).isZero();
    }

    @Test
    @DisplayName("is seen to open though every hint is lost")
    void survivesLostHints() throws Exception {
        DistributedLatch deaf = client(new DeafStore(store().newStore()), LONG).latch(name);
        CompletableFuture<Void> waiting = deaf.awaitAsync();
        DistributedLatch latch = latch();
        latch.trySetCount(1);
        long start = System.nanoTime();
        latch.countDown();
        await(waiting);
        assertThat(since(start)).isLessThan(SLACK);
    }

    @Test
    @DisplayName("that is deleted lets those who wait go with an error") // Redisson's stay blocked
    void deletionReleasesWaiters() throws Exception {
        DistributedLatch latch = latch();
        DistributedLatch other = latch();
        assertThat(latch.delete()).isFalse();
        latch.trySetCount(1);
        Actor bob = actor("bob");
        Future<?> blocked = bob.starts(other::await);
        CompletableFuture<Boolean> timed = other.awaitAsync(LONG);
        until("bob waits", SOON, bob::isWaiting);
        assertThat(other.getCount()).isEqualTo(1); // asked behind them, so mostly answered behind them
        Thread.sleep(50); // until they have seen the latch
        long start = System.nanoTime();
        assertThat(latch.delete()).isTrue();
        for (Future<?> one : List.of(blocked, timed)) {
            assertThatThrownBy(() -> await(one)).isInstanceOfSatisfying(HoldfastException.class, e -> {
                assertThat(e.retryable()).isFalse();
                assertThat(e).hasMessageContaining(name).hasMessageContaining("deleted");
            });
        }
        assertThat(since(start)).isLessThan(SLACK);
        assertThat(latch.delete()).isFalse();
        assertThat(other.getCount()).isZero();
    }

    @Test
    @DisplayName("that was deleted can be set anew, for ids that have not counted")
    void isSetAnew() throws Exception {
        DistributedLatch latch = latch();
        DistributedLatch other = latch();
        latch.trySetCount(1);
        latch.countDown("a");
        assertThat(other.delete()).as("open or not").isTrue();
        assertThat(other.trySetCount(1)).isTrue();
        assertThat(latch.await(Duration.ZERO)).isFalse();
        latch.countDown("a");
        assertThat(latch.getCount()).isEqualTo(1);
        latch.countDown("b");
        assertThat(other.await(Duration.ZERO)).isTrue();
    }

    @Test
    @DisplayName("has nothing to do with a lock or semaphore of the same name")
    void isNotALock() throws Exception {
        Holdfast client = client();
        client.latch(name).trySetCount(1);
        assertThat(client.lock(name).tryLock()).isTrue();
        assertThat(client.semaphore(name, 2).tryAcquire(2)).isTrue();
        assertThat(client.latch(name).getCount()).isEqualTo(1);
        client.forceUnlock(name);
        assertThat(client.latch(name).getCount()).isEqualTo(1);
        assertThat(client.semaphore(name, 2).availablePermits()).isZero();
    }
}
