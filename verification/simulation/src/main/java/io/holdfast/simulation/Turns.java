package io.holdfast.simulation;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * That the store's queues go on. Who waits there with a claim has a place, and whose turn it is comes and takes
 * it, called or not. Those in front who don't come, because they died or were stopped, lose their places, and then it is
 * the turn of those behind.
 */
final class Turns {

    private final World world;
    private final Oracle oracle;
    private final long bound;
    private final Map<String, Long> turnSince = new HashMap<>();
    private final Map<String, Long> noPlaceSince = new HashMap<>();

    Turns(World world, Oracle oracle, long bound) {
        this.world = world;
        this.oracle = oracle;
        this.bound = bound;
    }

    void look() {
        Set<String> called = new HashSet<>();
        Set<String> outside = new HashSet<>();
        for (Target target : world.targets) {
            LockState state = world.server.state(target.name());
            called.addAll(called(state));
            Set<String> known = new HashSet<>();
            state.holders().forEach(holder -> known.add(holder.claimId()));
            state.waiters().forEach(waiter -> known.add(waiter.claimId()));
            for (SimProcess process : world.processes) {
                for (String claim : EngineProbe.queued(process.engine, target.type(), target.name())) {
                    if (!known.contains(claim)) {
                        outside.add(claim);
                    }
                }
            }
        }
        since(turnSince, called, "has its turn, and does not take it");
        since(noPlaceSince, outside, "waits, and has no place in the queue");
    }

    /** Those who would get it if they asked. */
    private static List<String> called(LockState state) {
        List<Claimant> before = new ArrayList<>(state.holders());
        List<String> called = new ArrayList<>();
        for (Claimant waiter : state.waiters()) {
            boolean blocked = switch (waiter.mode()) {
                case EXCLUSIVE -> !before.isEmpty();
                case SHARED -> before.stream().anyMatch(other -> other.mode() == Mode.EXCLUSIVE);
                case PERMITS ->
                    before.stream().mapToInt(Claimant::permits).sum() + waiter.permits() > state.permits()
                            && waiter.permits() <= state.permits();
            };
            if (blocked) {
                break;
            }
            called.add(waiter.claimId());
            if (waiter.mode() != Mode.PERMITS || waiter.permits() <= state.permits()) {
                before.add(waiter);
            }
        }
        return called;
    }

    private void since(Map<String, Long> since, Set<String> claims, String what) {
        since.keySet().retainAll(claims);
        for (String claim : claims) {
            long begin = since.computeIfAbsent(claim, unused -> world.now());
            SimProcess process = world.processOf(claim);
            if (process.closing() == null
                    && world.now() - Math.max(begin, process.wellSince()) > bound
                    && !world.server.history(claim).isBeyondHelp()) {
                oracle.violated(Check.NO_HANG, claim + " " + what);
            }
        }
    }
}
