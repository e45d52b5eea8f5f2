package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of a lock that nobody uses any more, no node is left")
class LeftoverTest extends StoreTest {

    @Test
    @DisplayName("after locks and unlocks, alone and together")
    void afterUse() throws Exception {
        try (Holdfast here = Holdfast.builder().store(direct()).build();
                Holdfast there = Holdfast.builder().store(direct()).build()) {
            for (int i = 0; i < 5; i++) {
                for (DistributedLock lock : new DistributedLock[] {
                    here.lock("plain"),
                    here.fairLock("fair"),
                    here.readWriteLock("both").readLock()
                }) {
                    lock.lock();
                    assertThat(nodes()).isNotEmpty();
                    DistributedLock other =
                            lock.getName().equals("fair") ? there.fairLock("fair") : there.lock("plain");
                    tryBriefly(other);
                    lock.unlock();
                }
            }
            until("nothing is left", () -> nodes().isEmpty());
        }
    }

    /** On a slow machine there may be no answer in that time: nothing must be left of that either. */
    private static void tryBriefly(DistributedLock lock) throws InterruptedException {
        try {
            if (lock.tryLock(10, TimeUnit.MILLISECONDS)) {
                lock.unlock();
            }
        } catch (StoreUnavailableException e) {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
    }

    @Test
    @DisplayName("after a wait that was interrupted")
    void afterAnInterrupt() throws Exception {
        try (Holdfast here = Holdfast.builder().store(direct()).build();
                Holdfast there = Holdfast.builder().store(direct()).build()) {
            DistributedLock lock = here.fairLock("fair");
            lock.lock();
            Thread waiter = new Thread(() -> {
                try {
                    there.fairLock("fair").lockInterruptibly();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            waiter.start();
            until("it waits", () -> !here.inspect("fair").waiters().isEmpty());
            waiter.interrupt();
            waiter.join();
            until("it has left", () -> here.inspect("fair").waiters().isEmpty());
            lock.unlock();
            until("nothing is left", () -> nodes().isEmpty());
        }
    }

    @Test
    @DisplayName("after a claim that barged and was not granted")
    void afterARefusal() throws Exception {
        ZooKeeperStore store = direct();
        Claim held = claim("lock", QueuePolicy.BARGES, LONG);
        granted(store, held);
        int before = nodes().size();
        waits(direct(), claim("lock", QueuePolicy.BARGES, LONG));
        waits(direct(), claim("lock", QueuePolicy.GIVES_WAY, LONG));
        assertThat(nodes()).hasSize(before);
        get(store.release(held));
        until("nothing is left", () -> nodes().isEmpty());
    }

    @Test
    @DisplayName("and tokens rise all the same")
    void tokensRise() throws Exception {
        ZooKeeperStore store = direct();
        long last = 0;
        for (int i = 0; i < 20; i++) {
            Claim claim = claim("lock", QueuePolicy.BARGES, Duration.ofSeconds(5));
            long token = granted(store, claim);
            assertThat(token).isGreaterThan(last);
            last = token;
            get(store.release(claim));
            assertThat(nodes()).isEmpty();
        }
    }
}
