package io.holdfast.internal.event;

import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.internal.Tuning;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners of one client, in order, on its callback executor. Costs nothing where there are none. */
public final class Listeners {

    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    /** What one listener is told; each has a context of its own. */
    public interface Event {
        void tell(LockListener listener, @Nullable Object context);
    }

    private record Pending(Event event, @Nullable Object context) {}

    private final LockListener[] listeners;
    private final Executor executor;
    private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean dropping = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();

    public Listeners(List<LockListener> listeners, Executor executor) {
        this.listeners = listeners.toArray(LockListener[]::new);
        this.executor = executor;
    }

    /** Ask first, so that nothing is made for an event that no listener hears of. */
    public boolean isEmpty() {
        return listeners.length == 0;
    }

    /** In the thread that builds the client. */
    public void started(Holdfast holdfast) {
        forEach(null, (listener, context) -> listener.started(holdfast));
    }

    /** In the thread that asks; the answer is the context of what follows. */
    public @Nullable Object requested(LockEvent.Requested event) {
        if (listeners.length == 1) {
            return requested(listeners[0], event);
        }
        @Nullable Object[] contexts = new @Nullable Object[listeners.length];
        for (int i = 0; i < listeners.length; i++) {
            contexts[i] = requested(listeners[i], event);
        }
        return contexts;
    }

    private static @Nullable Object requested(LockListener listener, LockEvent.Requested event) {
        try {
            return listener.requested(event);
        } catch (RuntimeException | Error e) {
            log.error("A lock listener failed; the others go on", e);
            return null;
        }
    }

    public void tell(Consumer<LockListener> event) {
        tell(null, (listener, context) -> event.accept(listener));
    }

    /**
     * Queues the event.
     *
     * @param context from {@link #requested}
     */
    public void tell(@Nullable Object context, Event event) {
        if (count.get() >= Tuning.PENDING_EVENTS) {
            dropped.incrementAndGet();
            if (dropping.compareAndSet(false, true)) {
                log.warn("A lock listener is {} events behind; what follows is dropped", Tuning.PENDING_EVENTS);
            }
            return;
        }
        pending.add(new Pending(event, context));
        if (count.getAndIncrement() == 0) {
            executor.execute(this::drain);
        }
    }

    private void drain() {
        do {
            Pending next = pending.remove();
            forEach(next.context, next.event);
            tellDropped();
        } while (count.decrementAndGet() > 0);
        dropping.set(false);
    }

    /** Once half of the events that it was behind are told, so that a listener that stays behind is not told after each. */
    private void tellDropped() {
        if (dropped.get() > 0 && count.get() <= Tuning.PENDING_EVENTS / 2) {
            long number = dropped.getAndSet(0);
            forEach(null, (listener, context) -> listener.eventsDropped(number));
        }
    }

    private void forEach(@Nullable Object context, Event event) {
        for (int i = 0; i < listeners.length; i++) {
            Object its = listeners.length > 1 && context instanceof Object[] contexts ? contexts[i] : context;
            try {
                event.tell(listeners[i], its);
            } catch (RuntimeException | Error e) {
                log.error("A lock listener failed; the others go on", e);
            }
        }
    }
}
