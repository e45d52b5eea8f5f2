package io.holdfast.internal.lock;

import io.holdfast.DistributedLatch;
import io.holdfast.internal.Limits;
import io.holdfast.internal.engine.Engine;
import io.holdfast.internal.latch.LatchWait;
import io.holdfast.internal.latch.Latches;
import io.holdfast.internal.store.Await;
import io.holdfast.internal.store.RetryingCommand;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Messages;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The latch as callers see it: arguments are checked here, threads park here, and {@link Latches} does the rest. */
final class Latch implements DistributedLatch {

    private final Engine engine;
    private final Latches latches;
    private final String name;

    Latch(Engine engine, String name) {
        this.engine = engine;
        this.latches = engine.latches();
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    // ---- setting and counting ---------------------------------------------------------------------------------

    @Override
    public boolean trySetCount(long count) {
        return Await.uninterruptibly(set(count));
    }

    @Override
    public CompletableFuture<Boolean> trySetCountAsync(long count) {
        return engine.onCallbackExecutor(set(count));
    }

    private CompletableFuture<Boolean> set(long count) {
        Limits.count(count);
        String id = engine.newId(); // by which a repetition knows its own work
        return latches.send(name, store -> store.set(name, id, count))
                .answer()
                .thenApply(latch -> latch.id().equals(id));
    }

    @Override
    public void countDown() {
        countDownOnce(engine.newId());
    }

    @Override
    public void countDown(String id) {
        countDownOnce(Limits.countDownId(id));
    }

    private void countDownOnce(String id) {
        Await.uninterruptibly(counting(id).answer());
    }

    @Override
    public CompletableFuture<Void> countDownAsync() {
        return countDownOnceAsync(engine.newId());
    }

    @Override
    public CompletableFuture<Void> countDownAsync(String id) {
        return countDownOnceAsync(Limits.countDownId(id));
    }

    private CompletableFuture<Void> countDownOnceAsync(String id) {
        RetryingCommand<LatchState> counting = counting(id);
        return toCaller(counting.answer(), latch -> null, () -> counting.stop(new CancellationException()));
    }

    private RetryingCommand<LatchState> counting(String id) {
        return latches.send(name, store -> store.countDown(name, id));
    }

    @Override
    public long getCount() {
        return Await.uninterruptibly(look()).count();
    }

    @Override
    public CompletableFuture<Long> getCountAsync() {
        return engine.onCallbackExecutor(look().thenApply(LatchState::count));
    }

    private CompletableFuture<LatchState> look() {
        return latches.send(name, store -> store.look(name)).answer();
    }

    @Override
    public boolean delete() {
        return Await.uninterruptibly(deletion());
    }

    @Override
    public CompletableFuture<Boolean> deleteAsync() {
        return engine.onCallbackExecutor(deletion());
    }

    private CompletableFuture<Boolean> deletion() {
        return look().thenCompose(latch -> {
            if (!latch.exists()) {
                return CompletableFuture.completedFuture(false);
            }
            RetryingCommand<Boolean> deletion = latches.send(name, store -> store.delete(name, latch.id()));
            // Sent more than once, "not there" may be the work of the one whose answer was lost.
            return deletion.answer().thenApply(deleted -> deleted || deletion.wasRepeated());
        });
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    @Override
    public void await() throws InterruptedException {
        await(LatchWait.FOREVER);
    }

    @Override
    public boolean await(long wait, TimeUnit unit) throws InterruptedException {
        return await(LockFace.waitNanos(wait, unit));
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        return await(LockFace.waitNanos(wait));
    }

    private boolean await(long waitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        LatchWait wait = latches.await(name, waitNanos);
        try {
            return Await.interruptibly(wait.result);
        } catch (InterruptedException e) {
            latches.withdraw(wait);
            throw e;
        }
    }

    @Override
    public CompletableFuture<Void> awaitAsync() {
        return awaitAsync(LatchWait.FOREVER, open -> null);
    }

    @Override
    public CompletableFuture<Boolean> awaitAsync(Duration wait) {
        return awaitAsync(LockFace.waitNanos(wait), open -> open);
    }

    private <T extends @Nullable Object> CompletableFuture<T> awaitAsync(
            long waitNanos, Function<Boolean, T> toResult) {
        LatchWait wait = latches.await(name, waitNanos);
        return toCaller(wait.result, toResult, () -> latches.withdraw(wait));
    }

    /** A future for the caller. The engine or the caller completes it first, and the other side follows. */
    private <A, T extends @Nullable Object> CompletableFuture<T> toCaller(
            CompletableFuture<A> answer, Function<A, T> toResult, Runnable ended) {
        CompletableFuture<T> caller = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> engine.execute(() -> {
            if (failure == null) {
                caller.complete(toResult.apply(value));
            } else {
                caller.completeExceptionally(failure);
            }
        }));
        caller.whenComplete((value, failure) -> ended.run());
        return caller;
    }

    @Override
    public String toString() {
        return "DistributedLatch[" + Messages.line(name) + "]";
    }
}
