package io.holdfast.internal.store;

import io.holdfast.LocalHold;
import io.holdfast.LocalWaiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One look at what a client holds and waits for. Each queue adds what it has in a step of its own strand, mostly at once in the
 * looking thread; a queue that is at work does so in the thread that works.
 */
public final class Look {

    private final long now;
    private final Instant at;
    private final Queue<LocalHold> holds = new ConcurrentLinkedQueue<>();
    private final Queue<LocalWaiter> waiters = new ConcurrentLinkedQueue<>();

    /** The queues that have not answered, and the one that asks. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /**
     * A look that begins now.
     *
     * @param now by the client's clock
     */
    public Look(long now, Instant at) {
        this.now = now;
        this.at = at;
    }

    public long now() {
        return now;
    }

    public Instant at() {
        return at;
    }

    /** By the machine's clock, when the client's clock said that. */
    public Instant when(long nanos) {
        return at.minusNanos(now - nanos);
    }

    public void add(LocalHold hold) {
        holds.add(hold);
    }

    public void add(LocalWaiter waiter) {
        waiters.add(waiter);
    }

    /** One more queue is asked. */
    public void asks() {
        open.incrementAndGet();
    }

    /** One queue has answered, or all were asked. */
    public void answered() {
        if (open.decrementAndGet() == 0) {
            done.complete(null);
        }
    }

    public CompletableFuture<Void> done() {
        return done;
    }

    public List<LocalHold> holds() {
        List<LocalHold> sorted = new ArrayList<>(holds);
        sorted.sort(Comparator.comparing(LocalHold::name)
                .thenComparing(LocalHold::type)
                .thenComparing(LocalHold::since));
        return sorted;
    }

    public List<LocalWaiter> waiters() {
        List<LocalWaiter> sorted = new ArrayList<>(waiters);
        sorted.sort(Comparator.comparing(LocalWaiter::name)
                .thenComparing(LocalWaiter::type)
                .thenComparingInt(LocalWaiter::position));
        return sorted;
    }
}
