package io.holdfast.internal;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who wait for one lock in this client, first come first. Only touched on their queue's strand. */
final class Waiters {

    private final ArrayDeque<Waiter> queue = new ArrayDeque<>(1); // most locks have no waiters

    /** How many of them may belong to one owner; mostly none, and then nobody need be searched for. */
    private int ids;

    void add(Waiter waiter, Runnable timedOut) {
        queue.add(waiter);
        ids += isId(waiter) ? 1 : 0;
        waiter.armTimeout(timedOut);
    }

    @Nullable
    Waiter peek() {
        return queue.peek();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    List<Waiter> copy() {
        return List.copyOf(queue);
    }

    boolean anyImpatient() {
        return queue.stream().anyMatch(Waiter::impatient);
    }

    /** Whether it was still waiting. */
    boolean remove(Waiter waiter) {
        waiter.stopTimeout();
        boolean removed = queue.remove(waiter);
        ids -= removed && isId(waiter) ? 1 : 0;
        return removed;
    }

    /** Those who are waiting for a lock that their owner now has. */
    List<Waiter> askedAgainBy(LockOwner owner) {
        return ids == 0
                ? List.of()
                : queue.stream().filter(waiter -> waiter.owner.is(owner)).toList();
    }

    /** The attempts are counted anew. */
    void restartAttempts() {
        queue.forEach(waiter -> waiter.firstAttempt = 0);
    }

    /** The store has said something. */
    void answered() {
        queue.forEach(waiter -> waiter.answered = true);
    }

    /** Tells the listeners of those who have begun to wait. */
    void announce() {
        queue.forEach(waiter -> waiter.announce());
    }

    /** Answers those who don't want to wait, if the attempt that is answered began after they came. */
    void refuseImpatient(long attempt) {
        queue.removeIf(waiter -> {
            boolean refused = waiter.impatient() && waiter.firstAttempt <= attempt;
            if (refused) {
                waiter.stopTimeout();
                ids -= isId(waiter) ? 1 : 0;
                waiter.result.complete(null);
            }
            return refused;
        });
    }

    void failAll(Throwable failure) {
        for (Waiter waiter : queue) {
            waiter.stopTimeout();
            waiter.result.completeExceptionally(failure);
        }
        queue.clear();
        ids = 0;
    }

    private static boolean isId(Waiter waiter) {
        return waiter.owner.kind() == LockOwner.Kind.ID;
    }
}
