package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import java.lang.management.ManagementFactory;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("A lock that is held")
@Isolated("counts what the JVM allocates")
class HeldCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LOCKS = 200_000;

    @Test
    @DisplayName("costs its client no more than 400 bytes, its name among them")
    void bytes() {
        // The least of several: what else happens in this JVM meanwhile is not the locks'.
        long bytes = LongStream.range(0, 3).map(time -> bytesOfAll()).min().orElseThrow() / LOCKS;
        assertThat(bytes).isBetween(100L, 400L);
    }

    @Test
    @DisplayName("is renewed for a few bytes, in batches of 256")
    void renewal() {
        ManualTime time = new ManualTime(0);
        ForgetfulStore store = new ForgetfulStore(time);
        Engine engine = time.engine(1, store);
        for (int i = 0; i < 10_000; i++) {
            locks(engine).lock("held:" + i, LockOptions.defaults()).lockAsync(i);
        }
        // The least of several: what is compiled in between makes fewer.
        double least = Double.MAX_VALUE;
        for (int period = 0; period < 30; period++) {
            store.renewed = 0;
            store.batches = 0;
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            time.advance(10_000_000_000L);
            long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(store.renewed).isEqualTo(10_000);
            assertThat(store.batches).isEqualTo(40);
            least = Math.min(least, (double) bytes / store.renewed);
        }
        // The claim with its id, and the step that hears the answer.
        assertThat(least).isLessThanOrEqualTo(400); // 282 where it was tried
    }

    private static long bytesOfAll() {
        ManualTime time = new ManualTime(0);
        Engine engine = time.engine(1, new ForgetfulStore(time));
        long before = heap();
        for (int i = 0; i < LOCKS; i++) {
            assertThat(locks(engine).lock("held:" + i, LockOptions.defaults()).lockAsync(i))
                    .isCompleted();
        }
        long bytes = heap() - before;
        assertThat(engine.inUse()).isEqualTo(LOCKS);
        return bytes;
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Grants everything and remembers nothing, so that all that is left is the engine's. */
    private static final class ForgetfulStore extends ForwardingStore {

        private long token;
        private int renewed;
        private int batches;

        ForgetfulStore(ManualTime time) {
            super(new MemoryStore(new MemoryLocks(time), "memory"));
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return CompletableFuture.completedFuture(new ClaimResult.Granted(++token));
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
            renewed += claims.size();
            batches++;
            return CompletableFuture.completedFuture(AllHeld.MAP);
        }
    }

    /** Says so of whatever it is asked. */
    private static final class AllHeld extends AbstractMap<String, ClaimStatus> {

        static final AllHeld MAP = new AllHeld();

        @Override
        public ClaimStatus get(Object id) {
            return ClaimStatus.HELD;
        }

        @Override
        public Set<Map.Entry<String, ClaimStatus>> entrySet() {
            throw new UnsupportedOperationException();
        }
    }
}
