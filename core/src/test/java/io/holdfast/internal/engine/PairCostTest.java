package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.DistributedLock;
import io.holdfast.LockOptions;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What lock and unlock cost, in what can be counted: the store's round trips and the caller's allocations. The store is in
 * memory, so all of a pair happens in the calling thread.
 */
@DisplayName("A pair of lock and unlock")
@Isolated("counts what the JVM allocates")
class PairCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAIRS = 20_000;
    private static final int STRETCHES = 50;

    private final ManualTime time = new ManualTime(0);
    private final CountingStore store = new CountingStore(new MemoryStore(new MemoryLocks(time), "memory"));
    private final Engine engine = time.engine(1, store);

    @Test
    @DisplayName("is two round trips and a bounded number of bytes")
    void plain() {
        DistributedLock lock = locks(engine).lock("plain", LockOptions.defaults());
        lock.lock();
        lock.unlock();
        assertThat(store.claims).isOne();
        assertThat(store.releases).isOne();
        // Of the engine and of the store in memory.
        assertThat(bytesPerPair(lock)).isLessThanOrEqualTo(4_500);
    }

    @Test
    @DisplayName("that is a re-entry is no round trip and not one byte")
    void reentry() {
        DistributedLock lock = locks(engine).lock("nested", LockOptions.defaults());
        lock.lock();
        assertThat(bytesPerPair(lock)).isZero();
        assertThat(store.claims).isOne();
        assertThat(store.releases).isZero();
        lock.unlock();
    }

    @Test
    @DisplayName("of a lock that lingers is no round trip after the first, and a few bytes")
    void linger() {
        DistributedLock lock =
                locks(engine).lock("lingering", LockOptions.defaults().linger(Duration.ofSeconds(1)));
        assertThat(bytesPerPair(lock)).isLessThanOrEqualTo(350);
        // A claim brings tokens for 16,384 holders, after the first few.
        assertThat(store.claims).isLessThanOrEqualTo(6 + STRETCHES * PAIRS / Tuning.MOST_LINGER_TOKENS);
    }

    @Test
    @DisplayName("that comes by hand-off within the client is no round trip")
    void handOff() {
        DistributedLock lock = locks(engine).lock("handed", LockOptions.defaults());
        int owners = 10;
        List<CompletableFuture<Void>> taken = new ArrayList<>();
        for (int owner = 0; owner < owners; owner++) {
            taken.add(lock.lockAsync(owner));
        }
        for (int owner = 0; owner < owners; owner++) {
            assertThat(taken.get(owner)).isCompleted();
            CompletableFuture<Void> left = lock.unlockAsync(owner);
            if (owner == owners - 1) {
                assertThat(left).as("while one of them may come back").isNotDone();
                time.advance(100_000);
            }
            assertThat(left).isCompleted();
        }
        // One for the first, who was alone, and one for all who waited behind.
        assertThat(store.claims).isEqualTo(2);
        assertThat(store.releases).isEqualTo(2);
    }

    /** The least of several stretches: what a compiler or a collector does in between is not the lock's. */
    private static double bytesPerPair(DistributedLock lock) {
        return LongStream.range(0, STRETCHES)
                        .map(stretch -> bytesOfPairs(lock))
                        .min()
                        .orElseThrow()
                / (double) PAIRS;
    }

    @SuppressWarnings("LockNotBeforeTry") // nothing stands between the two
    private static long bytesOfPairs(DistributedLock lock) {
        long me = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(me);
        for (int i = 0; i < PAIRS; i++) {
            lock.lock();
            lock.unlock();
        }
        return THREADS.getThreadAllocatedBytes(me) - before;
    }
}
