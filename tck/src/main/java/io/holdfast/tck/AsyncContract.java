package io.holdfast.tck;

import static io.holdfast.tck.Eventually.settles;
import static io.holdfast.tck.Eventually.throughout;
import static io.holdfast.tck.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks that are taken without blocking, and their owners. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about how locks are given back
public abstract class AsyncContract extends Contract {

    @Test
    @DisplayName("belongs to the owner id that it was taken with, whatever thread uses it")
    void belongsToAnOwnerId() throws Exception {
        DistributedLock lock = client().lock(name());
        await(lock.lockAsync(1));
        assertThat(lock.isHeldByThread(1)).isTrue();
        assertThat(lock.isHeldByThread(2)).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(await(lock.tryLockAsync(2))).as("another owner").isFalse();
        assertThat(actor("bob").gets(() -> await(lock.tryLockAsync(1))))
                .as("the same owner in another thread")
                .isTrue();
        await(lock.unlockAsync(1));
        assertThat(await(lock.tryLockAsync(2))).as("held once more").isFalse();
        actor("carol").does(() -> await(lock.unlockAsync(1)));
        assertThat(await(lock.tryLockAsync(2))).isTrue();
        await(lock.unlockAsync(2));
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("can't be given back by another owner id")
    void refusesStrangers() throws Exception {
        DistributedLock lock = client().lock(name());
        await(lock.lockAsync(1));
        assertThatThrownBy(() -> await(lock.unlockAsync(2)))
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> await(lock.unlockAsync())).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.isHeldByThread(1)).isTrue();
        await(lock.unlockAsync(1));
    }

    @Test
    @DisplayName("belongs to the thread that called, if no owner id is given")
    void belongsToTheCaller() throws Exception {
        DistributedLock lock = client().lock(name());
        await(lock.lockAsync());
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        await(lock.unlockAsync());
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(actor("bob").gets(() -> await(lock.tryLockAsync()))).isFalse();
        lock.unlock();
        assertThat(await(lock.tryLockAsync())).isTrue();
        await(lock.unlockAsync());
        assertThat(lock.isLocked()).isFalse();
    }

    @Simulated
    @Test
    @DisplayName("that is taken is waited for as long as was said")
    void waitsAsLongAsTold() throws Exception {
        String name = name();
        client().lock(name).lock();
        DistributedLock other = client().lock(name);
        assertThat(await(other.tryLockAsync())).isFalse();
        assertThat(await(other.tryLockAsync(0, TimeUnit.SECONDS))).isFalse();
        Duration wait = Duration.ofMillis(700);
        long start = now();
        assertThat(await(other.tryLockAsync(wait.toMillis(), TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
        start = now();
        assertThat(await(other.tryLockAsync(wait.toMillis(), 1_000, TimeUnit.MILLISECONDS, 7)))
                .isFalse();
        assertThat(since(start)).isBetween(wait, wait.plusSeconds(2));
    }

    @Test
    @DisplayName("goes to one of many owners after the other")
    void goesRound() throws Exception {
        String name = name();
        List<Holdfast> clients = List.of(client(), client());
        RacyCounter counter = new RacyCounter();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long owner = i;
            DistributedLock lock = clients.get(i % 2).lock(name);
            all.add(lock.lockAsync(owner).thenCompose(got -> {
                counter.increment();
                return lock.unlockAsync(owner);
            }));
        }
        for (CompletableFuture<Void> one : all) {
            await(one);
        }
        assertThat(counter.value()).isEqualTo(100);
        assertThat(clients.get(0).lock(name).isLocked()).isFalse();
    }

    @Test
    @DisplayName("continues on the executor that the client was given")
    void continuesOnTheExecutor() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "given-executor"));
        opened(executor::shutdownNow);
        String name = name();
        Holdfast holder = client();
        DistributedLock lock = client(builder -> builder.executor(executor)).lock(name);
        holder.lock(name).lock();
        CompletableFuture<String> thread =
                lock.lockAsync(1).thenApply(got -> Thread.currentThread().getName());
        throughout("it waits", Duration.ofMillis(20), () -> !thread.isDone());
        holder.lock(name).unlock();
        assertThat(await(thread)).isEqualTo("given-executor");
        await(lock.unlockAsync(1));
    }

    @Test
    @DisplayName("may be followed by something that blocks, other locks included")
    void mayBlockAfterwards() throws Exception {
        Holdfast client = client();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            DistributedLock first = client.lock(name("first-" + i));
            DistributedLock second = client.lock(name("second"));
            long owner = i;
            all.add(first.lockAsync(owner).thenCompose(got -> {
                second.lock();
                second.unlock();
                return first.unlockAsync(owner);
            }));
        }
        for (CompletableFuture<Void> one : all) {
            await(one);
        }
    }

    @Test
    @DisplayName("may be followed by something that blocks, even on a given executor of one thread")
    void mayBlockTheOnlyThread() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        opened(executor::shutdownNow);
        Holdfast client = client(builder -> builder.executor(executor));
        Holdfast other = client();
        other.lock(name("first")).lock();
        other.lock(name("second")).lock();
        CompletableFuture<Void> done = client.lock(name("first"))
                .lockAsync(1)
                .thenRun(() -> {
                    client.lock(name("second")).lock();
                    client.lock(name("second")).unlock();
                })
                .thenCompose(blocked -> client.lock(name("first")).unlockAsync(1));
        other.lock(name("first")).unlock(); // from here on, the only thread waits for the second lock
        throughout("it waits", Duration.ofMillis(50), () -> !done.isDone());
        other.lock(name("second")).unlock();
        await(done);
    }

    @Test
    @DisplayName("with a thread's id as owner id is that thread's")
    void belongsToAThreadById() throws Exception {
        DistributedLock lock = client().lock(name());
        await(lock.lockAsync(Thread.currentThread().getId()));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    @DisplayName("that is cancelled while it waits is never taken")
    void isCancelledWhileItWaits() throws Exception {
        String name = name();
        Holdfast client = client();
        for (Holdfast other : List.of(client, client())) {
            DistributedLock waited = other.lock(name);
            client.lock(name).lock();
            List<CompletableFuture<?>> all = List.of(
                    waited.lockAsync(1),
                    waited.lockAsync(1, TimeUnit.MINUTES, 2),
                    waited.tryLockAsync(1, 1, TimeUnit.MINUTES, 3),
                    waited.acquireAsync(),
                    waited.tryAcquireAsync(LONG));
            throughout("they wait", Duration.ofMillis(20), () -> all.stream().noneMatch(CompletableFuture::isDone));
            for (CompletableFuture<?> one : all) {
                assertThat(one.cancel(true)).isTrue();
            }
            client.lock(name).unlock();
            settles("nobody has it", SOON, () -> !waited.isLocked());
            assertThat(waited.tryLock()).isTrue();
            waited.unlock();
        }
    }

    @Test
    @DisplayName("whose future was given a time-out by its caller is never taken after that")
    void isGivenUpByItsCaller() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock waited = client().lock(name);
        lock.lock();
        CompletableFuture<?> first = waited.acquireAsync().orTimeout(50, TimeUnit.MILLISECONDS);
        CompletableFuture<?> second = waited.lockAsync(1).orTimeout(50, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> await(first)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> await(second)).isInstanceOf(TimeoutException.class);
        lock.unlock();
        settles("nobody has it", SOON, () -> {
            boolean got = lock.tryLock();
            if (got) {
                lock.unlock();
            }
            return got;
        });
    }

    @Test
    @DisplayName("that is cancelled while it is granted is either held or free")
    void isCancelledWhileItIsGranted() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        for (int i = 0; i < 60; i++) {
            lock.lock();
            CompletableFuture<Void> waiting = other.lockAsync(i);
            lock.unlock();
            LockSupport.parkNanos(i * 50_000L);
            if (!waiting.cancel(false)) {
                await(waiting);
                await(other.unlockAsync(i));
            }
            assertThat(lock.tryLock(SOON.toMillis(), TimeUnit.MILLISECONDS))
                    .as("round %d", i)
                    .isTrue();
            lock.unlock();
        }
        assertThat(lock.isLocked()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(LockKind.class)
    @DisplayName("that is cancelled when it is granted, and before it is told so, is not held, not for a moment")
    void isNotHeldOnceCancelled(LockKind kind) throws Exception {
        CompletableFuture<Void> told = new CompletableFuture<>();
        String name = name();
        DistributedLock lock = kind.of(client(builder -> builder.executor(task -> told.thenRunAsync(task))), name);
        DistributedLock other = client().lock(name);
        CompletableFuture<Void> one = lock.lockAsync(1);
        CompletableFuture<Boolean> another = lock.tryLockAsync(1, 1, TimeUnit.MINUTES, 2);
        until("it is granted", SOON, other::isLocked);
        assertThat(lock.isHeldByThread(1)).as("before its owner is told").isFalse();
        assertThat(another.completeExceptionally(new TimeoutException("on purpose")))
                .isTrue();
        assertThat(one.cancel(true)).isTrue();
        assertThat(lock.isHeldByThread(1) || lock.isHeldByThread(2)).isFalse();
        assertThatThrownBy(() -> await(lock.unlockAsync(1))).isInstanceOf(IllegalMonitorStateException.class);
        told.complete(null);
        settles("nobody has it", SOON, () -> !other.isLocked());
    }

    @Test
    @DisplayName("that is cancelled as its owner asks once more is held once by then")
    void isHeldOnceIfOneOfTwoIsCancelled() throws Exception {
        CompletableFuture<Void> told = new CompletableFuture<>();
        DistributedLock lock = client(builder -> builder.executor(task -> told.thenRunAsync(task)))
                .lock(name());
        CompletableFuture<Void> one = lock.lockAsync(1);
        until("it is granted", SOON, lock::isLocked);
        CompletableFuture<Void> another = lock.lockAsync(1);
        one.cancel(false);
        told.complete(null);
        await(another);
        assertThat(lock.isHeldByThread(1)).isTrue();
        await(lock.unlockAsync(1));
        assertThat(lock.isHeldByThread(1)).isFalse();
        settles("nobody has it", SOON, () -> !lock.isLocked());
    }
}
