package io.holdfast.internal;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Those who wait for one lock in this client, first come first. Only touched on their queue's strand. */
final class Waiters {

    private final Engine engine;
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>();

    Waiters(Engine engine) {
        this.engine = engine;
    }

    void add(Waiter waiter, Runnable timedOut) {
        queue.add(waiter);
        if (waiter.timed()) {
            waiter.timeout = new Timer(timedOut);
            engine.timers().arm(waiter.timeout, waiter.askedAt + waiter.waitNanos);
        }
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
        stopTimeout(waiter);
        return queue.remove(waiter);
    }

    /** The store has said something. */
    void answered() {
        queue.forEach(waiter -> waiter.answered = true);
    }

    /** Tells the listeners of those who have begun to wait. */
    void announce() {
        for (Waiter waiter : queue) {
            if (!waiter.announced) {
                waiter.announced = true;
                engine.events().waiting(waiter);
            }
        }
    }

    /** Answers those who don't want to wait, if the attempt that is answered began after they came. */
    void refuseImpatient(long attempt) {
        queue.removeIf(waiter -> {
            boolean refused = waiter.impatient() && waiter.firstAttempt <= attempt;
            if (refused) {
                waiter.result.complete(null);
            }
            return refused;
        });
    }

    void failAll(Throwable failure) {
        for (Waiter waiter : queue) {
            stopTimeout(waiter);
            waiter.result.completeExceptionally(failure);
        }
        queue.clear();
    }

    private void stopTimeout(Waiter waiter) {
        if (waiter.timeout != null) {
            engine.timers().cancel(waiter.timeout);
        }
    }
}
