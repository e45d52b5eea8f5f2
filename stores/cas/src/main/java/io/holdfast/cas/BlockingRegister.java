package io.holdfast.cas;

import io.holdfast.HoldfastException;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A register on a client that blocks: a bounded number of threads call it in place of the engine. A subclass implements what its
 * client does, and may block there for as long as it likes: a command that has no answer after the time-out fails, and its thread
 * goes on waiting for it.
 */
public abstract class BlockingRegister implements Register {

    private static final int MOST_WAITING = 1 << 16;

    private final Duration timeout;
    private final ThreadPoolExecutor threads;
    private volatile boolean closed;

    /**
     * @param name what the threads are called, as in {@code holdfast-hazelcast}
     * @param most how many threads there are at most; 16 keeps most clients busy
     * @param timeout how long a command may take, with the time that it waits for a thread
     */
    protected BlockingRegister(String name, int most, Duration timeout) {
        this.timeout = timeout;
        AtomicInteger made = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                most, most, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                    Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    // ---- what a subclass does, on a thread of this register ------------------------------------------------------

    /** As {@link #get}; {@code null} if the key is absent. */
    protected abstract @Nullable Entry read(String key) throws Exception;

    /** As {@link #cas}, without the signals. */
    protected abstract CasResult compareAndSet(String key, @Nullable Entry expected, byte[] value) throws Exception;

    /** As {@link #delete}. */
    protected abstract CasResult compareAndDelete(String key, Entry expected) throws Exception;

    /** Puts a signal for the client that watches its key. */
    protected abstract void put(Signal signal) throws Exception;

    /** As {@link #list}. */
    protected abstract List<Listed> page(String prefix, String after, int limit) throws Exception;

    /** Closes the client, if this register opened it. The threads of commands under way are not interrupted. */
    protected abstract void closeClient();

    /**
     * What the failure of a command says to its caller: {@link StoreUnavailableException} unless it is certain that the command did
     * not run and won't.
     */
    protected abstract HoldfastException translate(Exception failure);

    // ---- commands ------------------------------------------------------------------------------------------------

    @Override
    public final CompletionStage<Optional<Entry>> get(String key) {
        return call(() -> Optional.ofNullable(read(key)));
    }

    @Override
    public final CompletionStage<CasResult> cas(
            String key, @Nullable Entry expected, byte[] value, List<Signal> signals) {
        CompletableFuture<CasResult> answer = call(() -> compareAndSet(key, expected, value));
        if (!signals.isEmpty()) {
            answer.thenAccept(result -> {
                if (result.applied()) {
                    signals.forEach(signal -> call(() -> {
                        put(signal);
                        return true;
                    }));
                }
            });
        }
        return answer;
    }

    @Override
    public final CompletionStage<CasResult> delete(String key, Entry expected) {
        return call(() -> compareAndDelete(key, expected));
    }

    @Override
    public final CompletionStage<List<Listed>> list(String prefix, String after, int limit) {
        return call(() -> page(prefix, after, limit));
    }

    /** Runs a step of the client on one of the threads. */
    protected final <T> CompletableFuture<T> call(Callable<T> step) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (closed) {
            answer.completeExceptionally(closedException());
            return answer;
        }
        try {
            threads.execute(() -> run(step, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(
                    closed
                            ? closedException()
                            : new StoreUnavailableException("too many commands wait for " + description(), e));
            return answer;
        }
        // A future of its own, so that what ends the timer is not a dependent of the answer.
        return answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS).exceptionallyCompose(failure -> {
            if (failure instanceof java.util.concurrent.TimeoutException) {
                return CompletableFuture.failedFuture(new StoreUnavailableException(
                        description() + " did not answer within " + timeout.toMillis() + " ms", failure));
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private <T> void run(Callable<T> step, CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return; // its time was over before a thread was free: it does not run any more
        }
        try {
            if (closed) {
                throw closedException();
            }
            answer.complete(step.call());
        } catch (HoldfastException e) {
            answer.completeExceptionally(e);
        } catch (Exception e) {
            answer.completeExceptionally(closed ? closedException() : translate(e));
        } catch (Error e) {
            answer.completeExceptionally(e);
            throw e;
        }
    }

    private StoreUnavailableException closedException() {
        return new StoreUnavailableException(description() + " was closed");
    }

    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        // Without waiting: what has not begun finds that it is closed, and fails.
        threads.shutdown();
        closeClient();
    }
}
