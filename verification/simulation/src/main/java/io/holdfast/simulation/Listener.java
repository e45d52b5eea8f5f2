package io.holdfast.simulation;

import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.simulation.Violation.Check;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the life of every request of one process: asked for, then granted or not, once. And of every hold: its beginning, then its
 * renewals, then its one end.
 */
final class Listener implements LockListener {

    /** What one request has led to so far. */
    private static final class Asked {
        final String name;
        boolean waits;
        boolean over;

        Asked(String name) {
            this.name = name;
        }
    }

    private final SimProcess process;
    private final Set<String> begun = new HashSet<>();
    private final Set<String> released = new HashSet<>();
    private final Set<String> lost = new HashSet<>();

    Listener(SimProcess process) {
        this.process = process;
    }

    /** How many holds have begun of which no end was heard. */
    long open() {
        return begun.stream()
                .filter(hold -> !released.contains(hold) && !lost.contains(hold))
                .count();
    }

    @Override
    public Object requested(LockEvent.Requested event) {
        return new Asked(event.name());
    }

    @Override
    public void waiting(LockEvent.Waiting event) {
        Asked asked = asked(event, event.context());
        expect(!asked.over, "a wait after the end of its request", event, 0);
        expect(!asked.waits, "a second wait of one request", event, 0);
        asked.waits = true;
    }

    @Override
    public void granted(LockEvent.Granted event) {
        ends(event, event.context(), event.after());
        expect(begun.add(hold(event, event.token())), "a second beginning", event, event.token());
    }

    @Override
    public void notGranted(LockEvent.NotGranted event) {
        ends(event, event.context(), event.after());
    }

    @Override
    public void renewed(LockEvent.Renewed event) {
        expect(isOpen(event, event.token()), "a renewal outside its life", event, event.token());
    }

    @Override
    public void renewalFailed(LockEvent.RenewalFailed event) {
        expect(isOpen(event, event.token()), "a failed renewal outside its life", event, event.token());
        expect(!event.timeLeft().isNegative(), "a rest of " + event.timeLeft(), event, event.token());
    }

    /** Also after it was given back, if the store says that it had it no longer. */
    @Override
    public void lost(LockEvent.Lost event) {
        String hold = hold(event, event.token());
        expect(begun.contains(hold), "a loss before the beginning", event, event.token());
        expect(lost.add(hold), "a second loss", event, event.token());
        expect(
                event.released() == released.contains(hold),
                "a loss that is wrong of the release",
                event,
                event.token());
        expect(!event.held().isNegative(), "a life of " + event.held(), event, event.token());
    }

    @Override
    public void released(LockEvent.Released event) {
        expect(isOpen(event, event.token()), "a release outside its life", event, event.token());
        expect(!event.held().isNegative(), "a life of " + event.held(), event, event.token());
        released.add(hold(event, event.token()));
    }

    private void ends(LockEvent event, @Nullable Object context, Duration after) {
        Asked asked = asked(event, context);
        expect(!asked.over, "a second end of one request", event, 0);
        expect(!after.isNegative(), "a wait of " + after, event, 0);
        asked.over = true;
    }

    private Asked asked(LockEvent event, @Nullable Object context) {
        if (context instanceof Asked asked && asked.name.equals(event.name())) {
            return asked;
        }
        expect(false, "an event without its request", event, 0);
        return new Asked(event.name());
    }

    private boolean isOpen(LockEvent event, long token) {
        String hold = hold(event, token);
        return begun.contains(hold) && !released.contains(hold) && !lost.contains(hold);
    }

    private static String hold(LockEvent event, long token) {
        return event.type() + " " + event.name() + " " + token;
    }

    private void expect(boolean good, String what, LockEvent event, long token) {
        if (!good) {
            process.world.oracle.violated(
                    Check.LISTENED, process + " hears of " + what + " for " + event.name() + " with token " + token);
        }
    }
}
