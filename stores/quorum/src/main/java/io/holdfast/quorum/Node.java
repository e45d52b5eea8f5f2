package io.holdfast.quorum;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.LockStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of the stores, asked with a time-out. One that did not answer last time is waited for less until it does. */
final class Node {

    /** A part of the time-out, for one that did not answer before. */
    private static final int SUSPECT = 4;

    /** Some time-outs, for one that has to be connected to first. */
    private static final int FIRST = 4;

    private static final long FOLLOWS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * A command under way.
     *
     * @param answer the node's own, whenever it comes
     * @param timely the same if it comes in time, otherwise a failure
     */
    record Call<T>(CompletableFuture<T> answer, CompletableFuture<T> timely) {}

    private final int index;
    private final LockStore store;
    private final Surroundings world;
    private final long timeoutNanos;
    private volatile boolean suspect;
    private volatile boolean known;
    private volatile @Nullable Long followsUntil;

    Node(int index, LockStore store, Surroundings world, long timeoutNanos) {
        this.index = index;
        this.store = store;
        this.world = world;
        this.timeoutNanos = timeoutNanos;
    }

    int index() {
        return index;
    }

    LockStore store() {
        return store;
    }

    /** Whether it did not answer when it was last asked. */
    boolean isSuspect() {
        return suspect;
    }

    /** It answers and still keeps no places: a server that holds back after a restart does not. */
    void keepsNoPlaces() {
        followsUntil = world.nanos() + FOLLOWS_NANOS;
    }

    /** Whether it may keep the order of the waiters. */
    boolean canLead() {
        Long until = followsUntil;
        return !suspect && (until == null || world.nanos() - until >= 0);
    }

    <T> Call<T> ask(Function<LockStore, CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            command.apply(store).whenComplete((value, failure) -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(unwrapped(failure));
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
        CompletableFuture<T> timely = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                suspect = false;
                known = true;
                timely.complete(value);
            } else {
                suspect = failure instanceof StoreUnavailableException;
                timely.completeExceptionally(failure);
            }
        });
        if (!timely.isDone()) {
            long patience = suspect ? timeoutNanos / SUSPECT : known ? timeoutNanos : timeoutNanos * FIRST;
            Runnable cancel = world.after(patience, () -> {
                if (timely.completeExceptionally(new StoreUnavailableException(store.description()
                        + " did not answer within " + TimeUnit.NANOSECONDS.toMillis(patience) + " ms"))) {
                    suspect = true;
                }
            });
            timely.whenComplete((value, failure) -> cancel.run());
        }
        return new Call<>(answer, timely);
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    @Override
    public String toString() {
        return store.description();
    }
}
