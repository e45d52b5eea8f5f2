package io.holdfast.internal.engine;

import static io.holdfast.internal.engine.ManualTime.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLatch;
import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.memory.MemoryLocks;
import io.holdfast.internal.memory.MemoryStore;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Latches in a world where time moves only when it is told to, and where the store answers as the test wishes. */
@Timeout(30)
class LatchTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;

    /** A store that runs every command that reaches it, and whose answers and hints the test decides about. */
    private static final class MoodyStore extends ForwardingStore implements LatchStore {

        int looks;
        int answersToLose;
        boolean silent;
        boolean deaf;
        boolean refusing;
        boolean holdsBack;
        int watches;
        final Queue<Runnable> heldBack = new ArrayDeque<>();

        MoodyStore(ManualTime time) {
            super(new MemoryStore(new MemoryLocks(time), "a moody store"));
        }

        @Override
        public LatchStore latches() {
            return this;
        }

        @Override
        public CompletionStage<LatchState> set(String name, String id, long count) {
            return answer(() -> super.latches().set(name, id, count));
        }

        @Override
        public CompletionStage<LatchState> countDown(String name, String id) {
            return answer(() -> super.latches().countDown(name, id));
        }

        @Override
        public CompletionStage<LatchState> look(String name) {
            looks++;
            return answer(() -> super.latches().look(name));
        }

        @Override
        public CompletionStage<Boolean> delete(String name, String id) {
            return answer(() -> super.latches().delete(name, id));
        }

        private <T> CompletionStage<T> answer(Supplier<CompletionStage<T>> command) {
            if (refusing) {
                return CompletableFuture.failedStage(new StoreRefusedException("not for you", false));
            }
            CompletionStage<T> ran = command.get();
            if (silent) {
                return new CompletableFuture<>();
            }
            if (answersToLose > 0) {
                answersToLose--;
                return CompletableFuture.failedStage(new StoreUnavailableException("the line went dead"));
            }
            if (holdsBack) {
                CompletableFuture<T> later = new CompletableFuture<>();
                heldBack.add(() -> ran.thenAccept(later::complete));
                return later;
            }
            return ran;
        }

        @Override
        public Subscription watch(Resource resource, Runnable changed) {
            watches++;
            Subscription watch = super.watch(resource, () -> {
                if (!deaf) {
                    changed.run();
                }
            });
            return () -> {
                watches--;
                watch.close();
            };
        }
    }

    private final ManualTime time = new ManualTime(Long.MAX_VALUE - SECOND); // it wraps around soon
    private final MoodyStore store = new MoodyStore(time);
    private final Engine engine = time.engine(1, store);
    private final DistributedLatch latch = locks(engine).latch("a");

    // ---- counting and waiting ---------------------------------------------------------------------------------

    @Test
    @DisplayName("whoever waits is told at once when the latch opens, and not before")
    void opens() {
        assertThat(latch.trySetCount(2)).isTrue();
        assertThat(latch.trySetCount(3)).isFalse();
        CompletableFuture<Void> waiting = latch.awaitAsync();
        latch.countDown();
        assertThat(latch.getCount()).isEqualTo(1);
        assertThat(waiting).isNotDone();
        latch.countDown();
        assertThat(waiting).isCompleted();
        latch.countDown();
        assertThat(latch.getCount()).isZero();
        assertThat(latch.awaitAsync(Duration.ZERO)).isCompletedWithValue(true);
        assertNothingLeft();
    }

    @Test
    @DisplayName("whoever waits for a latch that is not set waits for that too")
    void waitsForTheSetting() {
        CompletableFuture<Void> waiting = latch.awaitAsync();
        latch.countDown();
        time.advance(3 * SECOND);
        assertThat(latch.trySetCount(1)).isTrue();
        assertThat(waiting).isNotDone();
        latch.countDown();
        assertThat(waiting).isCompleted();
        assertNothingLeft();
    }

    @Test
    @DisplayName("an id counts once")
    void idCountsOnce() {
        latch.trySetCount(2);
        latch.countDown("chunk 1");
        latch.countDown("chunk 1");
        latch.countDownAsync("chunk 1");
        assertThat(latch.getCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("a lost hint costs a second, not the wait")
    void lostHint() {
        store.deaf = true;
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        time.advance(300 * MILLI);
        latch.countDown();
        assertThat(waiting).isNotDone();
        time.advance(700 * MILLI);
        assertThat(waiting).isCompleted();
        assertNothingLeft();
    }

    @Test
    @DisplayName("a thousand who wait for one latch look at the store as often as one does")
    void oneLookForAll() {
        store.deaf = true;
        latch.trySetCount(1);
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waiting.add(latch.awaitAsync());
        }
        time.advance(SECOND);
        store.looks = 0;
        time.advance(10 * SECOND);
        assertThat(store.looks).isBetween(9, 11);
        latch.countDown();
        time.advance(SECOND);
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        assertNothingLeft();
    }

    @Test
    @DisplayName("an answer to a look that was sent before a wait came does not decide the wait")
    void staleLook() {
        latch.trySetCount(1);
        store.holdsBack = true;
        CompletableFuture<Void> early = latch.awaitAsync();
        store.holdsBack = false;
        latch.countDown();
        CompletableFuture<Boolean> late = latch.awaitAsync(Duration.ZERO);
        store.heldBack.remove().run(); // "1 to go", as it was
        assertThat(late).isCompletedWithValue(true);
        assertThat(early).isCompleted();
        assertNothingLeft();
    }

    // ---- time-outs and leaving --------------------------------------------------------------------------------

    @Test
    @DisplayName("a wait ends when its time is over, and one of zero asks once")
    void timeOut() {
        latch.trySetCount(1);
        CompletableFuture<Boolean> waiting = latch.awaitAsync(Duration.ofMillis(1_500));
        assertThat(latch.awaitAsync(Duration.ZERO)).isCompletedWithValue(false);
        assertThat(latch.awaitAsync(Duration.ofSeconds(-1))).isCompletedWithValue(false);
        time.advance(1_499 * MILLI);
        assertThat(waiting).isNotDone();
        time.advance(MILLI);
        assertThat(waiting).isCompletedWithValue(false);
        assertNothingLeft();
    }

    @Test
    @DisplayName("a wait that is shorter than the way to the store hears the first answer, and not much longer")
    void shortWait() {
        latch.trySetCount(1);
        latch.countDown();
        store.holdsBack = true;
        CompletableFuture<Boolean> near = latch.awaitAsync(Duration.ofMillis(1));
        time.advance(50 * MILLI);
        assertThat(near).isNotDone();
        store.heldBack.remove().run();
        assertThat(near).isCompletedWithValue(true);
        CompletableFuture<Boolean> far = latch.awaitAsync(Duration.ofMillis(1));
        time.advance(101 * MILLI);
        assertThat(far).isCompletedExceptionally();
        assertThat(failureOf(far)).isInstanceOf(StoreUnavailableException.class);
        assertNothingLeft();
    }

    @Test
    @DisplayName("cancelling ends the waiting, and one that waits on stays")
    void cancelled() {
        latch.trySetCount(1);
        CompletableFuture<Void> leaves = latch.awaitAsync();
        CompletableFuture<Boolean> stays = latch.awaitAsync(Duration.ofDays(1));
        leaves.cancel(true);
        assertThat(engine.inUse()).isEqualTo(1);
        latch.countDown();
        assertThat(stays).isCompletedWithValue(true);
        assertThat(leaves).isCancelled();
        assertNothingLeft();
    }

    @Test
    @DisplayName("a cancelled count-down is not sent again")
    void cancelledCountDown() {
        store.silent = true;
        CompletableFuture<Void> counting = latch.countDownAsync();
        counting.cancel(true);
        assertNothingLeft();
    }

    @Test
    @DisplayName("who is interrupted leaves nothing behind")
    void interrupted() throws Exception {
        latch.trySetCount(1);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                latch.await();
                thrown.complete(new AssertionError("the latch is not open"));
            } catch (Throwable failure) {
                thrown.complete(failure);
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        waiter.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertNothingLeft();
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        Thread.currentThread().interrupt();
        latch.countDown();
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        assertThat(latch.getCount()).isZero();
    }

    // ---- deletion ---------------------------------------------------------------------------------------------

    @Test
    @DisplayName("deleting a latch releases who waits for it, with a reason")
    void deleted() {
        assertThat(latch.delete()).isFalse();
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        assertThat(latch.delete()).isTrue();
        assertThat(failureOf(waiting)).isInstanceOf(HoldfastException.class).hasMessageContaining("deleted");
        assertThat(((HoldfastException) failureOf(waiting)).retryable()).isFalse();
        assertThat(latch.delete()).isFalse();
        assertNothingLeft();
    }

    @Test
    @DisplayName("a latch that was deleted and set anew between two looks is another one, open or not")
    void setAnew() {
        store.deaf = true;
        latch.trySetCount(1);
        CompletableFuture<Void> first = latch.awaitAsync();
        latch.delete();
        latch.trySetCount(1);
        CompletableFuture<Void> second = latch.awaitAsync();
        latch.countDown();
        time.advance(SECOND);
        assertThat(failureOf(first)).isInstanceOf(HoldfastException.class).hasMessageContaining("anew");
        assertThat(second).isCompleted();
        assertNothingLeft();
    }

    // ---- a store that does not answer -------------------------------------------------------------------------

    @Test
    @DisplayName("a command whose answer was lost is repeated and takes effect once")
    void lostAnswers() throws Exception {
        store.answersToLose = 2;
        assertThat(whileTimePasses(() -> latch.trySetCount(3)))
                .as("recognises its own")
                .isTrue();
        store.answersToLose = 2;
        whileTimePasses(() -> {
            latch.countDown();
            return true;
        });
        assertThat(latch.getCount()).isEqualTo(2);
        store.answersToLose = 1;
        assertThat(whileTimePasses(() -> latch.getCount())).isEqualTo(2);
        LatchState there = store.look("a").toCompletableFuture().join();
        assertThat(there.exists()).isTrue();
        store.answersToLose = 1;
        CompletableFuture<Void> waiting = latch.awaitAsync();
        time.advance(SECOND);
        assertThat(waiting).isNotDone();
        latch.delete();
        assertThat(waiting).isCompletedExceptionally();
        assertNothingLeft();
    }

    @Test
    @DisplayName("a deletion whose answer was lost says that there was one")
    void lostDeletion() throws Exception {
        latch.trySetCount(1);
        store.holdsBack = true; // the look
        CompletableFuture<Boolean> deleted = new CompletableFuture<>();
        Thread deleter = new Thread(() -> deleted.complete(latch.delete()));
        deleter.start();
        untilParked(deleter);
        store.holdsBack = false;
        store.answersToLose = 1;
        store.heldBack.remove().run();
        while (!deleted.isDone()) {
            untilParked(deleter);
            time.advance(10 * MILLI);
        }
        assertThat(deleted).isCompletedWithValue(true);
        assertNothingLeft();
    }

    @Test
    @DisplayName("an answer that comes later than the command is repeated is good")
    void lateAnswer() {
        latch.trySetCount(1);
        store.holdsBack = true;
        CompletableFuture<Void> counting = latch.countDownAsync();
        time.advance(2 * SECOND);
        assertThat(counting).isNotDone();
        store.heldBack.remove().run();
        assertThat(counting).isCompleted();
        assertNothingLeft();
    }

    @Test
    @DisplayName("a store that says nothing fails commands and waits in the configured time, each by its own")
    void silentStore() {
        latch.trySetCount(1);
        store.silent = true;
        CompletableFuture<Void> counting = latch.countDownAsync();
        CompletableFuture<Void> first = latch.awaitAsync();
        CompletableFuture<Boolean> timed = latch.awaitAsync(Duration.ofSeconds(1));
        time.advance(2 * SECOND);
        assertThat(failureOf(timed)).isInstanceOf(StoreUnavailableException.class);
        CompletableFuture<Void> second = latch.awaitAsync();
        time.advance(3 * SECOND - 1);
        assertThat(counting).isNotDone();
        assertThat(first).isNotDone();
        time.advance(1);
        assertThat(failureOf(counting)).isInstanceOf(StoreUnavailableException.class);
        assertThat(failureOf(first))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("latch 'a'")
                .hasMessageContaining("a moody store");
        time.advance(2 * SECOND - 1);
        assertThat(second).isNotDone();
        time.advance(1);
        assertThat(failureOf(second)).isInstanceOf(StoreUnavailableException.class);
        assertNothingLeft();
    }

    @Test
    @DisplayName("a wait outlives a store that is silent for a while, again and again")
    void silentForAWhile() {
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        for (int i = 0; i < 5; i++) {
            store.silent = true;
            time.advance(3 * SECOND);
            store.silent = false;
            time.advance(3 * SECOND);
        }
        assertThat(waiting).isNotDone();
        latch.countDown();
        assertThat(waiting).isCompleted();
        assertNothingLeft();
    }

    @Test
    @DisplayName("what the store refuses fails at once")
    void refused() {
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        store.refusing = true;
        assertThatThrownBy(latch::countDown).isInstanceOf(StoreRefusedException.class);
        time.advance(SECOND);
        assertThat(failureOf(waiting)).isInstanceOf(StoreRefusedException.class);
        assertNothingLeft();
    }

    // ---- the rest ---------------------------------------------------------------------------------------------

    @Test
    @DisplayName("closing the client fails who waits, waits for what is under way, and leaves no timer")
    void close() {
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        CompletableFuture<Boolean> timed = latch.awaitAsync(Duration.ofHours(1));
        store.holdsBack = true;
        CompletableFuture<Void> counting = latch.countDownAsync();
        CompletableFuture<Void> closing = engine.close();
        assertThat(failureOf(waiting)).isInstanceOf(ClientClosedException.class);
        assertThat(failureOf(timed)).isInstanceOf(ClientClosedException.class);
        assertThat(closing).isNotDone();
        store.heldBack.forEach(Runnable::run);
        assertThat(counting).isCompleted();
        assertThat(closing).isCompleted();
        assertThatThrownBy(latch::getCount).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(latch::await).isInstanceOf(ClientClosedException.class);
        assertThat(failureOf(latch.countDownAsync())).isInstanceOf(ClientClosedException.class);
        assertThat(engine.inUse()).isZero();
        assertThat(engine.timers().size()).isZero();
        assertThat(store.watches).isZero();
    }

    @Test
    @DisplayName("a command that the store never answers ends with the client")
    void abandoned() {
        store.silent = true;
        CompletableFuture<Void> counting = latch.countDownAsync();
        engine.close();
        engine.abandon();
        assertThat(failureOf(counting)).isInstanceOf(ClientClosedException.class);
        assertThat(engine.inUse()).isZero();
        assertThat(engine.timers().size()).isZero();
    }

    @Test
    @DisplayName("continuations run on the callback executor")
    void callbackExecutor() {
        List<Runnable> tasks = new ArrayList<>();
        Engine other = new Engine(
                new Identity("00000000-0000-4000-8000-000000000002", "test", "localhost", 1),
                new SystemNonces(),
                store,
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                time,
                time,
                tasks::add,
                List.of());
        latch.trySetCount(1);
        CompletableFuture<Void> waiting = locks(other).latch("a").awaitAsync();
        CompletableFuture<Void> counting = locks(other).latch("a").countDownAsync();
        assertThat(latch.getCount()).isZero();
        assertThat(waiting).isNotDone();
        assertThat(counting).isNotDone();
        tasks.forEach(Runnable::run);
        assertThat(waiting).isCompleted();
        assertThat(counting).isCompleted();
    }

    @Test
    @DisplayName("arguments are checked before anything is sent")
    void arguments() {
        store.refusing = true;
        assertThatThrownBy(() -> latch.trySetCount(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latch.countDown("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latch.countDownAsync("\0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locks(engine).latch("")).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- helpers ----------------------------------------------------------------------------------------------

    /** No entry and no timer but that of the watch, which goes as well. */
    private void assertNothingLeft() {
        assertThat(engine.inUse()).isZero();
        assertThat(engine.timers().size()).isEqualTo(engine.watched() > 0 ? 1 : 0);
        time.advance(20 * SECOND);
        assertThat(engine.timers().size()).isZero();
        assertThat(store.watches).isZero();
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    /** Runs a call that blocks, and lets time pass whenever it does. */
    private <T> T whileTimePasses(Callable<T> call) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        caller.start();
        while (!result.isDone()) {
            untilParked(caller);
            time.advance(10 * MILLI);
        }
        return result.get(5, TimeUnit.SECONDS);
    }

    private static void untilParked(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
            Thread.sleep(1);
        }
    }
}
