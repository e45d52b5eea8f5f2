package io.holdfast.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * What several say to one question. It is over when all have answered or failed; after a while, when those who have are
 * enough: those that are away or stand still are not waited for.
 */
final class Survey<T> {

    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<List<T>> result = new CompletableFuture<>();
    private final List<T> answers = new ArrayList<>();
    private final Predicate<T> enough;
    private int missing;
    private boolean impatient;

    private Survey(int missing, Predicate<T> enough) {
        this.missing = missing;
        this.enough = enough;
    }

    /**
     * Fails only if all do, with what the last failed with.
     *
     * @param enough an answer without which the others are waited for, however long they take
     */
    static <T> CompletableFuture<List<T>> of(
            List<CompletableFuture<T>> questions, ScheduledExecutorService scheduler, Predicate<T> enough) {
        Survey<T> gathering = new Survey<>(questions.size(), enough);
        for (CompletableFuture<T> question : questions) {
            question.whenComplete(gathering::answered);
        }
        if (!gathering.result.isDone()) {
            try {
                scheduler.schedule(gathering::losePatience, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                gathering.result.completeExceptionally(e);
            }
        }
        return gathering.result;
    }

    private void answered(T answer, Throwable failure) {
        List<T> known;
        lock.lock();
        try {
            missing--;
            if (failure == null) {
                answers.add(answer);
            }
            if (missing > 0 && !(impatient && isEnough())) {
                return;
            }
            known = List.copyOf(answers);
        } finally {
            lock.unlock();
        }
        if (known.isEmpty()) {
            result.completeExceptionally(failure);
        } else {
            result.complete(known);
        }
    }

    private void losePatience() {
        List<T> known;
        lock.lock();
        try {
            impatient = true;
            if (!isEnough()) {
                return;
            }
            known = List.copyOf(answers);
        } finally {
            lock.unlock();
        }
        result.complete(known);
    }

    private boolean isEnough() {
        return answers.stream().anyMatch(enough);
    }
}
