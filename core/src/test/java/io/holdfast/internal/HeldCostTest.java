package io.holdfast.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lock that is held")
class HeldCostTest {

    private static final int LOCKS = 200_000;

    @Test
    @DisplayName("costs its client no more than 400 bytes, its name among them")
    void bytes() {
        // The least of several: what else happens in this JVM meanwhile is not the locks'.
        long bytes = LongStream.range(0, 3).map(time -> bytesOfAll()).min().orElseThrow() / LOCKS;
        assertThat(bytes).isBetween(100L, 400L);
    }

    private static long bytesOfAll() {
        ManualTime time = new ManualTime(0);
        Engine engine = time.engine(1, new ForgetfulStore(time));
        long before = heap();
        for (int i = 0; i < LOCKS; i++) {
            assertThat(engine.lock("held:" + i, LockOptions.defaults()).lockAsync(i))
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

        ForgetfulStore(ManualTime time) {
            super(new MemoryStore(new MemoryLocks(time), "memory"));
        }

        @Override
        public CompletionStage<Outcome> claim(Claim claim) {
            return CompletableFuture.completedFuture(new Outcome.Granted(++token));
        }
    }
}
