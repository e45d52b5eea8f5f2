package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.LockStore;
import io.holdfast.spi.ReleaseResult;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.crac.Core;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@DisplayName("A client whose process is about to be copied by a checkpoint")
@Isolated("a checkpoint is one of the whole process")
class CheckpointTest {

    private final Deaf store = new Deaf(new MemoryStore(new MemoryLocks(System::nanoTime), "memory"));
    private final Client client = client(Duration.ofSeconds(30));
    private final DistributedLock lock = locks(client.engine()).lock("a", LockOptions.defaults());

    @AfterEach
    void close() {
        store.deaf = false;
        client.close();
    }

    @Test
    @DisplayName(
            "has given back all that it had, tells who had it or waited for it, and takes nothing until it is restored")
    void letsGo() throws Exception {
        lock.lock();
        Lease handle = locks(client.engine()).lock("b", LockOptions.defaults()).acquire();
        Lease permit = locks(client.engine())
                .semaphore("s", 1, LockOptions.defaults())
                .tryAcquireLease(1, Duration.ZERO)
                .orElseThrow();
        CompletableFuture<Lease> waiting =
                locks(client.engine()).lock("b", LockOptions.defaults()).acquireAsync();
        CompletableFuture<Lease> fair =
                locks(client.engine()).lock("b", LockOptions.defaults().fair()).acquireAsync();

        Core.getGlobalContext().beforeCheckpoint(Core.getGlobalContext());
        assertThat(handle.isValid()).isFalse();
        assertThat(permit.isValid()).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        for (CompletableFuture<Lease> each : List.of(waiting, fair)) {
            assertThatThrownBy(() -> each.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("checkpoint");
        }
        assertThat(stored(ResourceType.LOCK, "a")).isZero();
        assertThat(stored(ResourceType.LOCK, "b")).isZero();
        assertThat(stored(ResourceType.SEMAPHORE, "s")).isZero();
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(
                        HoldfastException.class,
                        failure -> assertThat(failure.retryable()).isTrue());
        assertThatThrownBy(() -> locks(client.engine()).latch("l").trySetCount(1))
                .isInstanceOf(StoreUnavailableException.class);

        Core.getGlobalContext().afterRestore(Core.getGlobalContext());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class).hasMessageContaining("copied");
        assertThatThrownBy(handle::close).isInstanceOf(LeaseLostException.class);
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName("prevents it if something could not be given back, and goes on")
    void prevents() throws Exception {
        Client nonBlocking = client(Duration.ofMillis(200));
        try {
            DistributedLock held = locks(nonBlocking.engine()).lock("c", LockOptions.defaults());
            held.lock();
            store.deaf = true;
            assertThatThrownBy(() -> Core.getGlobalContext().beforeCheckpoint(Core.getGlobalContext()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("given back");
            store.deaf = false;
            Core.getGlobalContext().afterRestore(Core.getGlobalContext());
            held.lock();
            held.unlock();
        } finally {
            nonBlocking.close();
        }
    }

    private int stored(ResourceType kind, String name) {
        return store.inspect(new Resource(kind, name))
                .toCompletableFuture()
                .join()
                .holders()
                .size();
    }

    private Client client(Duration timeout) {
        return Client.start(
                "00000000-0000-4000-8000-000000000009",
                "checkpointed",
                store,
                Duration.ofSeconds(30),
                timeout,
                null,
                List.of(),
                System::nanoTime,
                null);
    }

    /** Does not hear a release while it is deaf. */
    private static final class Deaf extends ForwardingStore {

        private volatile boolean deaf;

        Deaf(LockStore store) {
            super(store);
        }

        @Override
        public CompletionStage<ReleaseResult> release(Claim claim) {
            return deaf ? new CompletableFuture<>() : super.release(claim);
        }
    }
}
