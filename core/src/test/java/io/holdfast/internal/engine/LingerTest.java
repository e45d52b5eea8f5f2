package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lock that lingers, in a world where time moves only when it is told to. */
class LingerTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final LockOptions BRIEFLY = LockOptions.defaults().linger(Duration.ofMillis(200));

    private final ManualTime time = new ManualTime(0);
    private boolean deaf;
    private boolean gone;
    private final List<Integer> tokensAskedFor = new ArrayList<>();
    private CompletableFuture<Void> renewing = CompletableFuture.completedFuture(null);
    private final CountingStore store =
            new CountingStore(new ForwardingStore(new MemoryStore(new MemoryLocks(time), "memory")) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    tokensAskedFor.add(claim.tokens());
                    return super.claim(claim);
                }

                @Override
                public CompletionStage<Map<String, ClaimStatus>> renew(List<Claim> batch) {
                    return super.renew(batch).thenCombine(renewing, (statuses, nothing) -> gone ? Map.of() : statuses);
                }

                @Override
                public Subscription subscribe(String client, ClaimListener called) {
                    return super.subscribe(client, new SelectiveListener(called, () -> !deaf, () -> true));
                }
            });
    private final Engine engine = engine(1);
    private final Engine other = engine(2);

    private Engine engine(int number) {
        return time.engine(number, store);
    }

    @AfterEach
    void nothingIsLeft() {
        renewing.complete(null);
        time.advance(60 * SECOND);
        for (Engine one : List.of(engine, other)) {
            assertThat(one.inUse()).isZero();
            assertThat(one.timers().size()).isZero();
        }
    }

    private static void pair(DistributedLock lock) {
        lock.lock();
        lock.unlock();
    }

    @Test
    @DisplayName("that is taken up again and again goes to others after a second though they are not heard asking")
    void isGivenBackInTheEnd() {
        deaf = true;
        DistributedLock lock = locks(engine).lock("a", BRIEFLY);
        pair(lock);
        CompletableFuture<Void> waiting =
                locks(other).lock("a", LockOptions.defaults()).lockAsync(1);
        for (int i = 0; i < 12; i++) {
            time.advance(100 * MILLI);
            if (lock.tryLock()) {
                lock.unlock();
            }
        }
        assertThat(waiting).isDone();
        locks(other).lock("a", LockOptions.defaults()).unlockAsync(1).join();
    }

    @Test
    @DisplayName("that others ask for while it is held briefly is given back at once")
    void isGivenBackWhenAskedFor() {
        DistributedLock lock = locks(engine).lock("a", BRIEFLY);
        lock.lockAsync(1).join();
        lock.unlockAsync(1).join();
        lock.lockAsync(1).join();
        assertThat(locks(other).lock("a", LockOptions.defaults()).tryLock()).isFalse();
        assertThat(lock.unlockAsync(1)).isCompleted();
        DistributedLock others = locks(other).lock("a", LockOptions.defaults());
        assertThat(others.tryLock()).isTrue();
        others.unlock();
    }

    @Test
    @DisplayName("lingers after a long hold for all of its time")
    void lingersAfterALongHold() {
        DistributedLock lock = locks(engine).lock("a", BRIEFLY);
        lock.lock();
        time.advance(3_600 * SECOND);
        lock.unlock();
        long claims = store.claims;
        time.advance(190 * MILLI);
        pair(lock);
        assertThat(store.claims).isEqualTo(claims);
    }

    @Test
    @DisplayName("asks for more tokens while it uses them up, and for few again when others ask for it")
    void asksForWhatItUses() {
        DistributedLock lock = locks(engine).lock("a", BRIEFLY);
        for (int i = 0; i < 100_000; i++) {
            pair(lock);
        }
        assertThat(tokensAskedFor).startsWith(512, 1_024, 2_048, 4_096, 8_192, 16_384, 16_384);

        CompletableFuture<Void> waiting = locks(other).lock("a", BRIEFLY).lockAsync(1);
        time.advance(5 * MILLI);
        assertThat(waiting).isDone();
        locks(other).lock("a", BRIEFLY).unlockAsync(1).join();
        tokensAskedFor.clear();
        time.advance(SECOND);
        pair(lock);
        assertThat(tokensAskedFor).containsExactly(512);
    }

    @Test
    @DisplayName("of two clients who take turns uses fewer tokens than microseconds pass")
    void isNotAheadOfTheClock() {
        for (int i = 0; i < 200; i++) {
            for (Engine one : List.of(engine, other)) {
                CompletableFuture<Void> taken = locks(one).lock("a", BRIEFLY).lockAsync(1);
                time.advance(MILLI / 10); // a round trip to the store
                assertThat(taken).isCompleted();
                locks(one).lock("a", BRIEFLY).unlockAsync(1).join();
            }
        }
        assertThat(tokensAskedFor.stream().mapToLong(Integer::longValue).sum()).isLessThan(time.nanos() / 1_000);
    }

    @Test
    @DisplayName("is given up when a renewal that was under way says that the store no longer has it")
    void isGoneWhileItLingers() {
        DistributedLock lock = locks(engine).lock("a", LockOptions.defaults().linger(Duration.ofSeconds(9)));
        lock.lock();
        renewing = new CompletableFuture<>();
        time.advance(10 * SECOND); // it is being renewed
        assertThat(store.renewals).isEqualTo(1);
        lock.unlock();
        long claims = store.claims;
        gone = true;
        renewing.complete(null);
        pair(lock);
        assertThat(store.claims).isEqualTo(claims + 1);
    }

    @Test
    @DisplayName("is renewed by an answer that comes while it lingers")
    void isRenewedWhileItLingers() {
        DistributedLock lock = locks(engine).lock("a", LockOptions.defaults().linger(Duration.ofSeconds(60)));
        lock.lock();
        renewing = new CompletableFuture<>();
        time.advance(10 * SECOND + SECOND / 10); // it is being renewed
        lock.unlock();
        renewing.complete(null);
        long claims = store.claims;
        time.advance(12 * SECOND); // more than half of the lease since the grant, less than that since the renewal
        pair(lock);
        assertThat(store.claims).isEqualTo(claims);
    }
}
