package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimListener;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where the store grants with the release, a plain lock")
class GrantOnReleaseTest {

    private static final long SECOND = 1_000_000_000;

    private final ManualTime time = new ManualTime(0);
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
    private boolean deaf;
    private final CountingStore store =
            new CountingStore(new ForwardingStore(new MemoryStore(new MemoryLocks(time), "memory")) {
                @Override
                public CompletionStage<ClaimResult> claim(Claim claim) {
                    return super.claim(claim).thenCombine(answers, (outcome, nothing) -> outcome);
                }

                @Override
                public Subscription subscribe(String client, ClaimListener called) {
                    return super.subscribe(client, new SelectiveListener(called, () -> !deaf, () -> !deaf));
                }
            });
    private final Engine here = engine(1);
    private final Engine there = engine(2);
    private final DistributedLock lock = locks(here).lock("a", LockOptions.defaults());
    private final DistributedLock other = locks(there).lock("a", LockOptions.defaults());

    private Engine engine(int number) {
        return time.engine(number, store);
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(here.notifications().size() + there.notifications().size()).isZero();
        assertThat(here.releaser().size() + there.releaser().size()).isZero();
    }

    @Test
    @DisplayName("goes to another client with one command, and is kept there as any other")
    void goesWithTheRelease() {
        lock.lockAsync(1).join();
        CompletableFuture<Void> waiting = other.lockAsync(2);
        long before = store.claims + store.releases;
        lock.unlockAsync(1).join();
        assertThat(waiting).isCompleted();
        assertThat(store.claims + store.releases - before).isEqualTo(1);
        time.advance(SECOND / 50); // it gets its whole lease
        time.jump(20 * SECOND);
        assertThat(lock.tryLock()).isFalse();
        time.advance(100 * SECOND);
        assertThat(lock.tryLock()).isFalse();
        other.unlockAsync(2).join();
    }

    @Test
    @DisplayName("has a lease of its own when that is handed to somebody")
    void isHanded() {
        lock.lockAsync(1).join();
        CompletableFuture<Lease> waiting = other.acquireAsync();
        time.advance(SECOND / 2);
        lock.unlockAsync(1).join();
        assertThat(waiting.join().remaining()).isGreaterThan(Duration.ofSeconds(29));
        waiting.join().close();
    }

    @Test
    @DisplayName("is had though the call is there before the answer that one has to wait")
    void callComesFirst() {
        lock.lockAsync(1).join();
        CompletableFuture<Void> first = other.lockAsync(2); // so that calls are heard
        lock.unlockAsync(1).join();
        assertThat(first).isCompleted();
        lock.lockAsync(1);
        answers = new CompletableFuture<>();
        other.unlockAsync(2).join();
        CompletableFuture<Void> waiting = other.lockAsync(2);
        // It asks with a claim that queues, since it gave the lock back while another one waited.
        long claims = store.claims;
        lock.unlockAsync(1).join();
        assertThat(waiting).isNotDone();
        answers.complete(null);
        assertThat(waiting).isCompleted();
        assertThat(store.claims).as("without asking again").isEqualTo(claims);
        other.unlockAsync(2).join();
    }

    @Test
    @DisplayName("with a lease time of its own is asked about, and its lease begins with that")
    void leased() {
        lock.lockAsync(1).join();
        CompletableFuture<Void> waiting = other.lockAsync(10, TimeUnit.SECONDS, 1);
        time.advance(SECOND / 2);
        lock.unlockAsync(1).join();
        assertThat(waiting).isCompleted();
        time.advance(9 * SECOND);
        assertThat(lock.tryLock()).isFalse();
        time.advance(SECOND);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("that would linger goes on to the next who waits when it is given back")
    void doesNotLinger() {
        LockOptions lingering = LockOptions.defaults().linger(Duration.ofSeconds(60));
        lock.lockAsync(1).join();
        CompletableFuture<Lease> waiting = locks(there).lock("a", lingering).acquireAsync();
        CompletableFuture<Lease> next = locks(engine(3)).lock("a", lingering).acquireAsync();
        lock.unlockAsync(1).join();
        waiting.join().close();
        assertThat(next).isCompleted();
        next.join().close();
        time.advance(SECOND);
    }

    @Test
    @DisplayName("is had within a second by who did not hear of it")
    void unheard() {
        deaf = true;
        lock.lockAsync(1).join();
        CompletableFuture<Lease> waiting = other.acquireAsync();
        time.advance(5 * SECOND);
        lock.unlockAsync(1).join();
        assertThat(waiting).isNotDone();
        time.advance(SECOND + SECOND / 10);
        assertThat(waiting).isCompleted();
        waiting.join().close();
    }

    @Test
    @DisplayName("is given back by who has left at the moment of the grant")
    void leaves() {
        deaf = true;
        lock.lockAsync(1).join();
        CompletableFuture<Lease> waiting = other.acquireAsync();
        time.advance(SECOND / 10);
        lock.unlockAsync(1).join();
        waiting.cancel(false);
        time.advance(SECOND / 10);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    @DisplayName("is lost, and told so, by who stands still before it is renewed")
    void standsStill() {
        lock.lockAsync(1).join();
        CompletableFuture<Void> waiting = other.lockAsync(2);
        lock.unlockAsync(1).join();
        assertThat(waiting).isCompleted();
        time.jump(Claim.TICKET.toNanos());
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(other.unlockAsync(2)).isCompletedExceptionally();
        time.advance(SECOND);
    }
}
