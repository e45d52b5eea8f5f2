package io.holdfast.tck;

import static io.holdfast.tck.Eventually.eventually;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLatch;
import io.holdfast.Holdfast;
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

/** The methods of a latch, and every way in which a wait for it ends. */
public abstract class LatchMethodContract extends Contract {

    @BeforeEach
    final void onlyWhereThereAreLatches() {
        needs(LatchStore.class);
    }

    private final String name = name("latch");

    private DistributedLatch latch() {
        return client().latch(name);
    }

    @Test
    @DisplayName("lets everybody through who waits, in whatever way, before it is set too")
    void letsEverybodyThrough() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        Holdfast here = client();
        for (int i = 0; i < 6; i++) {
            DistributedLatch latch = i % 2 == 0 ? here.latch(name) : latch();
            Actor one = actor("waiter-" + i);
            all.add(i < 3 ? one.starts(latch::await) : one.begins(() -> latch.await(10, TimeUnit.SECONDS)));
            all.add(latch.awaitAsync());
            all.add(latch.awaitAsync(Duration.ofSeconds(10)));
            until("it waits", SOON, one::isWaiting);
        }
        DistributedLatch latch = latch();
        assertThat(latch.trySetCount(1)).isTrue();
        throughout("they wait", Duration.ofMillis(30), () -> all.stream().noneMatch(Future::isDone));
        latch.countDown();
        for (Future<?> one : all) {
            Object open = await(one);
            assertThat(open == null || open.equals(true)).isTrue();
        }
    }

    @Simulated
    @Test
    @DisplayName("is waited for as long as was said, and no longer")
    void timesOut() throws Exception {
        DistributedLatch latch = latch();
        latch.trySetCount(1);
        for (Duration wait : List.of(Duration.ofMillis(500), Duration.ofMillis(1_100))) {
            long start = now();
            assertThat(actor("bob").gets(() -> latch.await(wait))).isFalse();
            assertThat(since(start)).isBetween(wait.minusMillis(2), wait.plusSeconds(1));
        }
        assertThat(await(latch.awaitAsync(Duration.ofMillis(500)))).isFalse();
        assertThat(latch.await(-1, TimeUnit.SECONDS)).isFalse();
    }

    @Simulated
    @Test
    @DisplayName("is left by who is interrupted or cancels")
    void isLeft() throws Exception {
        CountingStore counted = new CountingStore(newStore());
        DistributedLatch latch = client(counted, LONG).latch(name);
        latch.trySetCount(1);
        Actor bob = actor("bob");
        Future<?> interrupted = bob.starts(() -> {
            assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> latch.await(Duration.ofSeconds(1))).isInstanceOf(InterruptedException.class);
        });
        List<CompletableFuture<?>> cancelled = List.of(latch.awaitAsync(), latch.awaitAsync(LONG));
        until("bob waits", SOON, bob::isWaiting);
        bob.interrupt();
        await(interrupted);
        cancelled.forEach(one -> assertThat(one.cancel(true)).isTrue());
        eventually(SOON, () -> {
            int before = counted.commands();
            pass(Duration.ofMillis(1_200)); // waiters check once a second
            assertThat(counted.commands() - before).as("commands").isZero();
        });
    }

    @Test
    @DisplayName("fails those who wait when their client is closed")
    void isClosed() throws Exception {
        Holdfast client = client();
        DistributedLatch latch = client.latch(name);
        latch.trySetCount(1);
        Actor bob = actor("bob");
        Future<?> waiting = bob.starts(latch::await);
        until("bob waits", SOON, bob::isWaiting);
        client.close();
        assertThatThrownBy(() -> await(waiting)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(latch::countDown).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(latch::await).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> await(latch.awaitAsync())).isInstanceOf(ClientClosedException.class);
        assertThat(latch().getCount()).as("the latch stays").isEqualTo(1);
    }

    @Test
    @DisplayName("rejects what can't be before it asks anybody")
    void rejectsNonsense() {
        DistributedLatch latch = latch();
        for (long count : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> latch.trySetCount(count)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String id : List.of("", "\0", "\ud800", "x".repeat(1_025))) {
            assertThatThrownBy(() -> latch.countDown(id)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> latch.countDownAsync(id)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client().latch(id)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
