package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.DistributedLatch;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.QueueingStore;
import io.holdfast.spi.SemaphoreStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store can't do safely it refuses, at once and saying so, rather than doing it somehow. */
@Essential
public abstract class RefusalContract extends Contract {

    private final String name = name("refused");

    private boolean can(Class<?> capability) {
        return openStore().capability(capability) != null;
    }

    @Test
    @DisplayName("of fair locks is told by every call")
    void refusesFairLocks() {
        assumeFalse(can(QueueingStore.class));
        for (DistributedLock fair : List.of(
                client().fairLock(name),
                client().readWriteLock(name, LockOptions.defaults().fair()).readLock())) {
            isRefused(fair::lock);
            isRefused(fair::tryLock);
            isRefused(() -> fair.tryLock(20, TimeUnit.SECONDS));
            isRefused(fair::acquire);
            isRefused(() -> await(fair.lockAsync()));
        }
    }

    @Test
    @DisplayName("of semaphores is told by every call")
    void refusesSemaphores() {
        assumeFalse(can(SemaphoreStore.class));
        DistributedSemaphore semaphore = client().semaphore(name, 2);
        isRefused(() -> semaphore.tryAcquire());
        isRefused(() -> semaphore.tryAcquire(1, 20, TimeUnit.SECONDS));
        isRefused(semaphore::acquire);
        isRefused(() -> semaphore.acquireLease(1));
        isRefused(() -> await(semaphore.acquireAsync(1)));
        isRefused(semaphore::availablePermits);
        isRefused(() -> semaphore.addPermits(1));
        isRefused(semaphore::inspect);
    }

    @Test
    @DisplayName("of latches is told by every call")
    void refusesLatches() {
        assumeFalse(can(LatchStore.class));
        DistributedLatch latch = client().latch(name);
        isRefused(() -> latch.trySetCount(1));
        isRefused(latch::countDown);
        isRefused(latch::getCount);
        isRefused(latch::await);
        isRefused(() -> latch.await(20, TimeUnit.SECONDS));
        isRefused(() -> await(latch.awaitAsync()));
        isRefused(latch::delete);
    }

    @Test
    @DisplayName("is one line, whatever the name: it forges no other one and steers no terminal")
    void isOneLine() {
        Holdfast client = client();
        for (String odd :
                List.of("\n", "\r\n", "\t", "\u001b[31m", "\u0085", "\u2028", "\u2029", "\u009b31m", "\u202e")) {
            String forging = name + odd + "WARN forged";
            assertIsOneLine(client.lock(forging).toString());
            assertIsOneLine(message(() -> client.lock(forging).unlock()));
            assertIsOneLine(message(() -> client.semaphore(forging, 1).acquire(2)));
            assertIsOneLine(message(() -> client.latch(forging).trySetCount(1)));
            assertIsOneLine(message(() -> {
                try (Lease lease = client.lock(forging).acquire()) {
                    assertIsOneLine(lease.toString());
                    client.forceUnlock(forging);
                }
            }));
        }
    }

    /** What is said, or something harmless if nothing is. */
    private static String message(Actor.Step step) {
        try {
            step.run();
            return "";
        } catch (Exception e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void assertIsOneLine(String message) {
        assertThat(message).doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u2028-\u202e]");
    }

    private void isRefused(Actor.Step step) {
        long start = System.nanoTime();
        assertThatThrownBy(step::run).isInstanceOfSatisfying(StoreRefusedException.class, refusal -> {
            assertThat(refusal.retryable()).isFalse();
            assertThat(refusal).hasMessageContaining(name);
        });
        assertThat(since(start)).isLessThan(SOON);
    }
}
