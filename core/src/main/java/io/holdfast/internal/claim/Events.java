package io.holdfast.internal.claim;

import io.holdfast.LockListener;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.queue.Waiter;
import io.holdfast.internal.store.LogSummary;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, in order, on the callback executor. Costs nothing where there are none. */
final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final List<LockListener> listeners;
    private final Executor executor;
    private final LogSummary losses;
    private final Queue<Consumer<LockListener>> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean dropping = new AtomicBoolean();

    Events(ClaimContext engine, List<LockListener> listeners, Executor executor) {
        this.losses = new LogSummary(engine, log, "was lost", "were lost");
        this.listeners = listeners;
        this.executor = executor;
    }

    void waiting(Waiter waiter) {
        tell(listener -> listener.waiting(waiter.name));
    }

    void granted(Hold hold, long waitedNanos) {
        tell(listener -> listener.granted(hold.name(), hold.token(), Duration.ofNanos(waitedNanos)));
    }

    void renewed(Hold hold) {
        tell(listener -> listener.renewed(hold.name(), hold.token()));
    }

    void lost(Hold hold, String reason, boolean onPurpose) {
        if (onPurpose) {
            log.debug("{} ended with its client (token {})", hold.activeClaim.label(), hold.token());
        } else {
            losses.warn(hold.activeClaim.label() + " (token " + hold.token() + ")", reason);
        }
        tell(listener -> listener.lost(hold.name(), hold.token(), reason));
    }

    void released(Hold hold, long heldNanos) {
        tell(listener -> listener.released(hold.name(), hold.token(), Duration.ofNanos(heldNanos)));
    }

    /** No timer comes any more. */
    void close() {
        losses.close();
    }

    private void tell(Consumer<LockListener> event) {
        if (!listeners.isEmpty()) {
            if (count.get() >= Tuning.PENDING_EVENTS) {
                if (dropping.compareAndSet(false, true)) {
                    log.warn("A lock listener is {} events behind; what follows is dropped", Tuning.PENDING_EVENTS);
                }
                return;
            }
            pending.add(event);
            if (count.getAndIncrement() == 0) {
                executor.execute(this::drain);
            }
        }
    }

    private void drain() {
        do {
            Consumer<LockListener> event = pending.remove();
            for (LockListener listener : listeners) {
                try {
                    event.accept(listener);
                } catch (RuntimeException | Error e) {
                    log.error("A lock listener failed; the others go on", e);
                }
            }
        } while (count.decrementAndGet() > 0);
        dropping.set(false);
    }
}
