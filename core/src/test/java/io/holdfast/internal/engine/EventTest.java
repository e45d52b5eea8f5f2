package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import io.holdfast.LossReason;
import io.holdfast.StoreCommandEvent;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.event.Listeners;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What listeners are told of a store that fails, and what they are not told. */
@DisplayName("A listener")
class EventTest {

    private static final long SECOND = 1_000_000_000L;

    private final ManualTime time = new ManualTime(0);
    private final Troubled store = new Troubled(time);
    private final Recorder heard = new Recorder();
    private final Engine engine = new Engine(
            new Identity("00000000-0000-4000-8000-000000000001", "test", "localhost", 1),
            new SystemNonces(),
            store,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            time,
            time,
            Runnable::run,
            List.of(heard));

    /** A store that fails, is silent or has forgotten everything, as it is told. */
    private static final class Troubled extends ForwardingStore {

        private @Nullable Throwable failure;
        private boolean silent;
        private @Nullable Runnable look;

        Troubled(ManualTime time) {
            super(new MemoryStore(new MemoryLocks(time), "memory"));
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return failure == null ? super.claim(claim) : CompletableFuture.failedFuture(failure);
        }

        @Override
        public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> claims) {
            if (silent) {
                return new CompletableFuture<>();
            }
            return failure == null ? super.renew(claims) : CompletableFuture.failedFuture(failure);
        }

        @Override
        public Subscription whenUnsure(Runnable unsure) {
            look = unsure;
            return () -> {};
        }

        void isUnsure() {
            if (look != null) {
                look.run();
            }
        }
    }

    private static final class Recorder implements LockListener {

        private final List<LockEvent.RenewalFailed> failed = new ArrayList<>();
        private final List<LockEvent.Lost> lost = new ArrayList<>();
        private final List<LockEvent.NotGranted> notGranted = new ArrayList<>();
        private final List<StoreCommandEvent> commands = new ArrayList<>();

        @Override
        public void renewalFailed(LockEvent.RenewalFailed event) {
            failed.add(event);
        }

        @Override
        public void lost(LockEvent.Lost event) {
            lost.add(event);
        }

        @Override
        public void notGranted(LockEvent.NotGranted event) {
            notGranted.add(event);
        }

        @Override
        public void commandEnded(StoreCommandEvent event) {
            commands.add(event);
        }
    }

    private DistributedLock lock() {
        return locks(engine).lock("a", LockOptions.defaults());
    }

    @Test
    @DisplayName("hears of each renewal that fails, with the time that is left, and then of the loss")
    void renewalFailed() {
        lock().lockAsync(1).join();
        store.failure = new StoreUnavailableException("on purpose");
        time.advance(12 * SECOND);
        assertThat(heard.failed).isNotEmpty().first().satisfies(event -> {
            assertThat(event.name()).isEqualTo("a");
            assertThat(event.timeLeft()).isBetween(Duration.ofSeconds(18), Duration.ofSeconds(21));
            assertThat(event.failure()).hasMessageContaining("on purpose");
        });
        assertThat(heard.lost).isEmpty();
        time.advance(20 * SECOND);
        assertThat(heard.lost).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(LossReason.EXPIRED);
            assertThat(event.held()).isBetween(Duration.ofSeconds(29), Duration.ofSeconds(30));
        });
        int told = heard.failed.size();
        time.advance(20 * SECOND);
        assertThat(heard.failed).as("after the loss").hasSize(told);
    }

    @Test
    @DisplayName("hears of renewals that are not answered, once for each")
    void unanswered() {
        lock().lockAsync(1).join();
        store.silent = true;
        time.advance(25 * SECOND);
        assertThat(heard.failed)
                .isNotEmpty()
                .extracting(LockEvent.RenewalFailed::timeLeft)
                .doesNotHaveDuplicates();
        store.silent = false;
        time.advance(10 * SECOND);
        assertThat(heard.lost).isEmpty();
    }

    @Test
    @DisplayName(
            "hears that a store lost a lock in a failover, if the store has told of one, and that it is gone otherwise")
    void failedOver() {
        lock().lockAsync(1).join();
        store.forceRelease(Resource.lock("a"), OptionalLong.empty());
        time.advance(SECOND);
        store.isUnsure();
        time.advance(SECOND);
        assertThat(heard.lost)
                .singleElement()
                .extracting(LockEvent.Lost::reason)
                .isEqualTo(LossReason.FAILED_OVER);
        heard.lost.clear();
        lock().lockAsync(2).join();
        store.forceRelease(Resource.lock("a"), OptionalLong.empty());
        time.advance(15 * SECOND);
        assertThat(heard.lost)
                .singleElement()
                .extracting(LockEvent.Lost::reason)
                .isEqualTo(LossReason.GONE);
    }

    @Test
    @DisplayName("hears why a request failed: the store refused it, or did not answer")
    void failures() {
        store.failure = new StoreRefusedException("no", false);
        assertThat(lock().lockAsync(1)).isCompletedExceptionally();
        store.failure = new StoreUnavailableException("gone");
        CompletableFuture<Void> second = lock().lockAsync(1);
        time.advance(6 * SECOND);
        assertThat(second).isCompletedExceptionally();
        assertThat(heard.notGranted)
                .extracting(LockEvent.NotGranted::cause)
                .containsExactly(LockEvent.NotGranted.Cause.REFUSED, LockEvent.NotGranted.Cause.FAILED);
        assertThat(heard.notGranted.get(1).after()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        assertThat(heard.commands)
                .extracting(StoreCommandEvent::outcome)
                .startsWith(StoreCommandEvent.Outcome.REFUSED, StoreCommandEvent.Outcome.FAILED);
    }

    @Test
    @DisplayName("that is too far behind misses events, and hears how many; none is told twice or out of order")
    void dropped() {
        List<Runnable> tasks = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        List<Long> missing = new ArrayList<>();
        Listeners listeners = new Listeners(
                List.of(new LockListener() {
                    @Override
                    public void renewed(LockEvent.Renewed event) {
                        tokens.add(event.token());
                    }

                    @Override
                    public void eventsDropped(long number) {
                        missing.add(number);
                    }
                }),
                tasks::add);
        int more = 5;
        for (long i = 0; i < Tuning.PENDING_EVENTS + more; i++) {
            LockEvent.Renewed event = new LockEvent.Renewed("a", Mode.EXCLUSIVE, i);
            listeners.tell(listener -> listener.renewed(event));
        }
        tasks.remove(0).run();
        assertThat(tokens).hasSize(Tuning.PENDING_EVENTS).isSorted().doesNotHaveDuplicates();
        assertThat(missing).containsExactly((long) more);
        assertThat(tasks).isEmpty();
    }

    @Test
    @DisplayName("has a context of its own, beside other ones")
    void contexts() {
        List<String> heardBoth = new ArrayList<>();
        Engine both = new Engine(
                new Identity("00000000-0000-4000-8000-000000000002", "test", "localhost", 1),
                new SystemNonces(),
                store,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                time,
                time,
                Runnable::run,
                List.of(new Named("one", heardBoth), new Named("two", heardBoth)));
        locks(both).lock("b", LockOptions.defaults()).lockAsync(1).join();
        assertThat(heardBoth).containsExactly("one one", "two two");
    }

    private record Named(String name, List<String> heard) implements LockListener {

        @Override
        public Object requested(LockEvent.Requested event) {
            return name;
        }

        @Override
        public void granted(LockEvent.Granted event) {
            heard.add(name + " " + event.context());
        }
    }
}
