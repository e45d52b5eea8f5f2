package io.holdfast.simulation;

import io.holdfast.LockListener;
import io.holdfast.simulation.Violation.Check;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** Hears of the life of every hold of one process: its beginning, then its renewals, then its one end. */
final class Listener implements LockListener {

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
    public void granted(String name, long token, Duration waited) {
        expect(begun.add(hold(name, token)), "a second beginning", name, token);
        expect(!waited.isNegative(), "a wait of " + waited, name, token);
    }

    @Override
    public void renewed(String name, long token) {
        expect(isOpen(name, token), "a renewal outside its life", name, token);
    }

    /** Also after it was given back, if the store says that it had it no longer. */
    @Override
    public void lost(String name, long token, String reason) {
        expect(begun.contains(hold(name, token)), "a loss before the beginning", name, token);
        expect(lost.add(hold(name, token)), "a second loss", name, token);
    }

    @Override
    public void released(String name, long token, Duration held) {
        expect(isOpen(name, token), "a release outside its life", name, token);
        expect(!held.isNegative(), "a life of " + held, name, token);
        released.add(hold(name, token));
    }

    private boolean isOpen(String name, long token) {
        String hold = hold(name, token);
        return begun.contains(hold) && !released.contains(hold) && !lost.contains(hold);
    }

    private static String hold(String name, long token) {
        return name + " " + token;
    }

    private void expect(boolean good, String what, String name, long token) {
        if (!good) {
            process.world.oracle.violated(
                    Check.LISTENED, process + " hears of " + what + " for " + name + " with token " + token);
        }
    }
}
