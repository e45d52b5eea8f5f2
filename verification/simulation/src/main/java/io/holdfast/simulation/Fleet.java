package io.holdfast.simulation;

import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Claim;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Many clients that want one plain lock all the time: a hand-over costs the store a few commands however many of them wait, and
 * none of them is passed by another again and again. A process with which something went wrong lately is left out: it sends
 * again what was not answered, and may not know that it has had its turn.
 */
final class Fleet {

    /** A ticket, a claim in its turn and a release, and one for a client that barges. */
    private static final int COMMANDS_OF_A_TURN = 4;

    /** A claim that leaves nothing, a ticket, and its release. */
    private static final int COMMANDS_OF_A_VAIN_WAIT = 3;

    /** A claim that looks a little too early, when the notification did not come. */
    private static final int COMMANDS_OF_A_LOST_HINT = 1;

    /** A turn before the ticket's own, one as a newcomer, and two that are about to end as the ticket is taken. */
    private static final int MOST_PASSES = 4;

    /** What one waiting claim has seen go by. */
    private static final class Wait {
        final long since;
        final Map<SimProcess, Integer> passes = new HashMap<>();

        Wait(long since) {
            this.since = since;
        }
    }

    private final World world;
    private final Oracle oracle;
    private final Map<String, Wait> waits = new HashMap<>();
    private final Map<SimProcess, Long> lastTurn = new HashMap<>();
    private final Set<SimProcess> well = new HashSet<>();

    /** Of processes that were well. */
    private long commands;

    private long turns;

    /** How often a process was well no more, in the middle of a turn. */
    private long onsets;

    private long vainTries;
    private long vainWaits;
    private long lastTurnAt;
    private long lostHints;

    Fleet(World world, Oracle oracle) {
        this.world = world;
        this.oracle = oracle;
    }

    /** The process sends a claim or a release. */
    void sends(SimProcess process) {
        if (isWell(process)) {
            commands++;
            well.add(process);
        } else if (well.remove(process)) {
            onsets++;
        }
    }

    /** True if nothing has gone wrong there, from the beginning or for so long that it has heard of everything. */
    private boolean isWell(SimProcess process) {
        return process.wellSince() == 0 || world.now() - process.wellSince() > oracle.bound();
    }

    /** A notification was lost. */
    void notToldOf() {
        lostHints++;
    }

    /** A request has ended without the lock. */
    void hadNot(Request request) {
        if (request.wait == 0) {
            vainTries++;
        } else {
            vainWaits++;
        }
    }

    /** The store has granted the claim, while these wait in its queue. */
    void granted(Claim claim, Collection<String> waiting) {
        if (!world.scenario.fleet) {
            return;
        }
        SimProcess process = world.processOf(claim.id());
        turns += isWell(process) ? 1 : 0;
        lastTurnAt = world.now();
        world.happened(What.FLEET_TURN);
        Long before = lastTurn.put(process, world.now());
        // A client that has not heard how its last turn ended may barge.
        boolean excused = !isWell(process) || (before != null && process.wellSince() > before);
        waits.keySet().retainAll(waiting);
        for (String other : waiting) {
            Wait wait = waits.computeIfAbsent(other, unused -> new Wait(world.now()));
            if (!excused && world.processOf(other) != process) {
                int passes = wait.passes.merge(process, 1, Integer::sum);
                // A client that has waited in vain for a second is a newcomer again.
                if (passes > MOST_PASSES + (world.now() - wait.since) / SECOND) {
                    oracle.violated(
                            Check.NO_STARVATION,
                            other + " waits since " + Time.show(wait.since) + ", and " + process + " has had " + passes
                                    + " turns since");
                }
            }
        }
    }

    void atTheEnd() {
        if (!world.scenario.fleet) {
            return;
        }
        long clients = world.processes.size();
        // Each client that waits asks once a second by itself.
        long allowed = COMMANDS_OF_A_TURN * (turns + onsets)
                + COMMANDS_OF_A_VAIN_WAIT * vainWaits
                + vainTries
                + COMMANDS_OF_A_LOST_HINT * lostHints
                + clients * (1 + lastTurnAt / SECOND);
        if (commands > allowed) {
            oracle.violated(
                    Check.COST,
                    commands + " commands for " + turns + " turns and " + vainWaits + " waits and " + vainTries
                            + " tries in vain of " + clients + " clients, with " + lostHints + " lost hints and "
                            + onsets + " times when one was not well: more than " + allowed);
        }
    }
}
