package io.holdfast.internal.claim;

import io.holdfast.LockEvent;
import io.holdfast.LossReason;
import io.holdfast.internal.event.Flight;
import io.holdfast.internal.event.Listeners;
import io.holdfast.internal.store.LogSummary;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens to the holds of one client, for its listeners and for the log. */
public final class Events {

    private static final Logger log = LoggerFactory.getLogger(Events.class);

    private final ClaimContext engine;
    private final Listeners listeners;
    private final LogSummary losses;

    /** The holds that the flight recorder has seen begin; mostly none. */
    private final Map<Hold, Object> recorded = new ConcurrentHashMap<>();

    public Events(ClaimContext engine, Listeners listeners) {
        this.engine = engine;
        this.listeners = listeners;
        this.losses = new LogSummary(engine, log, "was lost", "were lost");
    }

    /**
     * The owner has it.
     *
     * @param context what the listeners remember of the request
     */
    public void granted(Hold hold, LockEvent.Granted.Path path, long afterNanos, @Nullable Object context) {
        Object recording = Flight.holdBegins();
        if (recording != null) {
            recorded.put(hold, recording);
        }
        if (listeners.isEmpty()) {
            return;
        }
        ActiveClaim claim = hold.activeClaim;
        int permits = claim.permits();
        Duration after = Duration.ofNanos(afterNanos);
        listeners.tell(
                context,
                (listener, its) -> listener.granted(
                        new LockEvent.Granted(hold.name(), claim.mode(), permits, hold.token(), path, after, its)));
    }

    void renewed(Hold hold) {
        if (!listeners.isEmpty()) {
            LockEvent.Renewed event = new LockEvent.Renewed(hold.name(), hold.activeClaim.mode(), hold.token());
            listeners.tell(listener -> listener.renewed(event));
        }
    }

    /** From anywhere: a renewal of the claim failed, or was left without an answer. */
    void renewalFailed(ActiveClaim claim, Throwable failure) {
        if (!listeners.isEmpty()) {
            claim.holder.strand(() -> {
                Hold hold = claim.holder.lastHold();
                if (hold != null && hold.activeClaim == claim && !hold.isOver()) {
                    long now = engine.now();
                    LockEvent.RenewalFailed event = new LockEvent.RenewalFailed(
                            hold.name(),
                            claim.mode(),
                            hold.token(),
                            Duration.ofNanos(Math.max(0, claim.deadline(now) - now)),
                            failure);
                    listeners.tell(listener -> listener.renewalFailed(event));
                }
            });
        }
    }

    /**
     * It has ended.
     *
     * @param released whether it was given back before
     */
    void lost(Hold hold, LossReason reason, String text, boolean released) {
        ActiveClaim claim = hold.activeClaim;
        recordEnd(hold, "lost");
        Flight.lost(hold.name(), claim.mode(), hold.token(), reason, text, engine.now() - hold.begunAt());
        if (reason == LossReason.CLOSED || (!released && engine.isClosed())) {
            log.debug("{} ended with its client (token {})", claim.label(), hold.token());
        } else {
            losses.warn(claim.label() + " (token " + hold.token() + ")", text);
        }
        if (!listeners.isEmpty()) {
            LockEvent.Lost event = new LockEvent.Lost(
                    hold.name(), claim.mode(), hold.token(), reason, text, heldFor(hold, engine.now()), released);
            listeners.tell(listener -> listener.lost(event));
        }
    }

    public void released(Hold hold, long now) {
        recordEnd(hold, "released");
        if (!listeners.isEmpty()) {
            LockEvent.Released event =
                    new LockEvent.Released(hold.name(), hold.activeClaim.mode(), hold.token(), heldFor(hold, now));
            listeners.tell(listener -> listener.released(event));
        }
    }

    private void recordEnd(Hold hold, String outcome) {
        Object recording = recorded.isEmpty() ? null : recorded.remove(hold);
        if (recording != null) {
            Flight.holdEnds(recording, hold.name(), hold.activeClaim.mode(), outcome, hold.token());
        }
    }

    private static Duration heldFor(Hold hold, long now) {
        return Duration.ofNanos(now - hold.begunAt());
    }

    /** No timer comes any more. */
    public void close() {
        losses.close();
    }
}
