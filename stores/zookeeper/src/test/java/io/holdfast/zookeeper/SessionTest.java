package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.QueuePolicy;
import io.holdfast.spi.Resource;
import io.holdfast.tck.HintListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A session")
class SessionTest extends StoreTest {

    /** Ends the sessions behind the wire at the server, and lets new ones in. */
    private void expire() throws Exception {
        wire.down();
        Thread.sleep(1_500); // time is what ends it
        wire.up();
    }

    @Test
    @DisplayName("that ends takes nothing from who holds, and gives nothing to who waits")
    void endsUnderAHolder() throws Exception {
        ZooKeeperStore holder = wired();
        ZooKeeperStore other = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        long token = answered(() -> granted(holder, held));
        waits(other, claim("lock", QueuePolicy.BARGES, LONG));
        expire();
        waits(other, claim("lock", QueuePolicy.BARGES, LONG));
        assertThat(answered(() -> get(holder.renew(List.of(held))))).isEqualTo(Map.of(held.id(), ClaimStatus.HELD));
        assertThat(answered(() -> granted(holder, held))).isEqualTo(token);
        assertThat(answered(() -> get(holder.release(held))).held()).isTrue();
        assertThat(granted(other, claim("lock", QueuePolicy.BARGES, LONG))).isGreaterThan(token);
    }

    @Test
    @DisplayName("that ends under a holder with a short lease has it told before another gets the lock")
    void endsUnderAShortLease() throws Exception {
        Duration lease = Duration.ofSeconds(3);
        try (Holdfast here = Holdfast.builder().store(wired()).lease(lease).build();
                Holdfast there = Holdfast.builder().store(direct()).lease(lease).build()) {
            Lease lost = here.lock("lock").acquire();
            AtomicInteger told = new AtomicInteger();
            lost.onLost(one -> told.incrementAndGet());
            DistributedLock lock = there.lock("lock");
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            wire.pause();
            Lease next = waiting.get(20, TimeUnit.SECONDS);
            assertThat(lost.isValid()).as("when the other has it").isFalse();
            assertThat(next.token()).isGreaterThan(lost.token());
            until("it is told", () -> told.get() == 1);
            wire.resume();
            Thread.sleep(500); // what was on its way is harmless
            assertThat(next.isValid()).isTrue();
            next.close();
        }
    }

    @Test
    @DisplayName("whose connection breaks again while another is made is renewed in time all the same")
    void breaksWhileConnecting() throws Exception {
        Duration lease = Duration.ofSeconds(3);
        AtomicInteger renewals = new AtomicInteger();
        LockListener counting = new LockListener() {
            @Override
            public void renewed(LockEvent.Renewed event) {
                renewals.incrementAndGet();
            }
        };
        try (Holdfast here = Holdfast.builder()
                .store(wired())
                .lease(lease)
                .listener(counting)
                .build()) {
            Lease held = here.lock("lock").acquire();
            for (int i = 0; i < 6; i++) {
                wire.pause();
                int made = wire.made();
                wire.cut();
                until("another is made", () -> wire.made() > made);
                wire.cut();
                int before = renewals.get();
                wire.resume();
                until("it is renewed, or lost", () -> renewals.get() > before || !held.isValid());
                assertThat(held.isValid()).as("after round " + i).isTrue();
            }
        }
    }

    @Test
    @DisplayName("that ends gives up its places, and who still waits gets another")
    void endsUnderAWaiter() throws Exception {
        ZooKeeperStore waiter = wired();
        ZooKeeperStore other = direct();
        Claim held = claim("lock", QueuePolicy.QUEUES, LONG);
        Claim waiting = claim("lock", QueuePolicy.QUEUES, LONG);
        granted(other, held);
        answered(() -> get(waiter.claim(waiting)));
        assertThat(get(other.inspect(Resource.lock("lock"))).waiters()).hasSize(1);
        expire();
        until(
                "the place is gone",
                () -> get(other.inspect(Resource.lock("lock"))).waiters().isEmpty());
        until("it waits again", () -> {
            answered(() -> get(waiter.claim(waiting)));
            return get(other.inspect(Resource.lock("lock"))).waiters().size() == 1;
        });
        List<String> called = new CopyOnWriteArrayList<>();
        waiter.subscribe(waiting.client(), new HintListener(called::add, () -> called.add("")));
        get(other.release(held));
        until("it is called in its new session", () -> called.contains(waiting.id()));
        answered(() -> granted(waiter, waiting));
    }

    @Test
    @DisplayName("whose answer to a claim was lost has it found again by its id, with the same token")
    void losesAnAnswer() throws Exception {
        ZooKeeperStore store = wired();
        ZooKeeperStore other = direct();
        Claim before = claim("lock", QueuePolicy.BARGES, LONG);
        answered(() -> granted(store, before)); // connected, and the nodes above are there
        answered(() -> get(store.release(before)));
        Claim claim = claim("lock", QueuePolicy.BARGES, LONG);
        wire.mute();
        CompletableFuture<?> lost = store.claim(claim).toCompletableFuture();
        until("it has run", () -> get(other.inspect(Resource.lock("lock"))).isLocked());
        wire.cut();
        assertThatThrownBy(() -> lost.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreUnavailableException.class);
        wire.resume();
        Long token = get(other.inspect(Resource.lock("lock"))).holders().get(0).token();
        assertThat(answered(() -> granted(store, claim))).isEqualTo(token);
        assertThat(get(other.inspect(Resource.lock("lock"))).holders()).hasSize(1);
        assertThat(answered(() -> get(store.release(claim))).held()).isTrue();
    }

    @Test
    @DisplayName("of a given client is used and left open; one that replaces it is used from then on")
    void ofAGivenClient() throws Exception {
        ZooKeeper first = new ZooKeeper(server.getConnectString(), 2_000, event -> {});
        ZooKeeper[] client = {first};
        LockStore store = ZooKeeperStore.using(() -> client[0], "/app/locks", ZooDefs.Ids.OPEN_ACL_UNSAFE);
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(store, held);
        first.close();
        client[0] = opened(new ZooKeeper(server.getConnectString(), 2_000, event -> {}));
        assertThat(get(store.release(held)).held()).isTrue();
        store.close();
        assertThat(client[0].getState().isAlive()).isTrue();
        assertThatThrownBy(() -> get(store.claim(held))).hasCauseInstanceOf(StoreUnavailableException.class);
    }
}
