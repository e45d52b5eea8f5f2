package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.Lease;
import io.holdfast.internal.Inside;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All who hold a lock or have held it, and what must be true of them: one at a time, tokens rising, an end that is told
 * and is final. A belief begins in an event and can only end between two, so to look after each event is to look always.
 */
final class Beliefs {

    /** A belief that is over and done with is looked at now and then for a while yet: it must not come back. */
    private static final long REMEMBERED = 5 * SECOND;

    private static final long LOOK_BACK = 50 * MILLI;

    private final World world;
    private final Oracle oracle;
    private final long tellBound;
    private final long countBound;
    private final List<Belief> beliefs = new ArrayList<>();
    private final List<Belief> past = new ArrayList<>();
    private final Map<String, Long> lastTokens = new HashMap<>();
    private final @Nullable Lease[][] seen;
    private long lastLookBack;

    Beliefs(World world, Oracle oracle) {
        this.world = world;
        this.oracle = oracle;
        this.tellBound = 4 * world.scenario.latestTimer + 5 * MILLI;
        this.countBound = tellBound + 10 * world.scenario.latency + 300 * MILLI;
        this.seen = new @Nullable Lease[world.processes.size()][world.names.size()];
    }

    void look() {
        for (Iterator<Belief> all = beliefs.iterator(); all.hasNext(); ) {
            Belief belief = all.next();
            look(belief);
            if (belief.over && isSettled(belief)) {
                all.remove();
                past.add(belief);
            }
        }
        for (int p = 0; p < seen.length; p++) {
            SimProcess process = world.processes.get(p);
            for (int n = 0; n < seen[p].length; n++) {
                Lease lease = Inside.hold(process.engine, world.names.get(n));
                if (lease != null && lease != seen[p][n] && !process.isCrashed()) {
                    begins(new Belief(process, lease), seen[p][n]);
                    seen[p][n] = lease;
                }
            }
        }
        if (world.now() - lastLookBack > LOOK_BACK) {
            lastLookBack = world.now();
            past.removeIf(belief -> world.now() - belief.overAt > REMEMBERED);
            past.forEach(this::staysOver);
        }
    }

    /** When somebody in that process last believed that it holds the lock. */
    long lastHeld(SimProcess process, String name) {
        long last = Long.MIN_VALUE / 2;
        for (Belief belief : beliefs) {
            if (belief.process == process && belief.name.equals(name)) {
                last = Math.max(last, belief.over ? belief.overAt : world.now());
            }
        }
        for (Belief belief : past) {
            if (belief.process == process && belief.name.equals(name)) {
                last = Math.max(last, belief.overAt);
            }
        }
        return last;
    }

    private static boolean isSettled(Belief belief) {
        return belief.told > 0 || belief.isReleased() || belief.process.isCrashed();
    }

    // ---- the beginning ----------------------------------------------------------------------------------------

    private void begins(Belief belief, @Nullable Lease before) {
        boolean handedOn = before != null && Inside.claimId(before).equals(belief.claim);
        world.happened(handedOn ? What.HAND_OFF : What.GRANT);
        world.trace.say("oracle", "%s believes%s", belief, handedOn ? ", handed on" : "");
        beliefs.add(belief);
        belief.lease.onLost(lease -> told(belief));
        for (Belief other : beliefs) {
            if (other != belief && other.name.equals(belief.name) && other.isHeld() && sameRules(belief, other)) {
                oracle.violated(Check.EXCLUSION, belief + " and " + other + " both believe that they hold the lock");
            }
        }
        if (!isTaken(belief)) {
            Long last = lastTokens.put(belief.name, belief.token);
            if (last != null && last >= belief.token) {
                oracle.violated(Check.TOKENS_RISE, belief + " came after token " + last);
            }
        }
        Long owner = Inside.owner(belief.lease);
        Request request = owner == null ? null : oracle.pendingOf(belief.process, belief.name, owner);
        if (request != null) {
            oracle.granted(request, belief.token);
        }
    }

    /** Who was robbed, by force or by a store that forgot, believes on for a while, and can't help it. */
    private boolean sameRules(Belief one, Belief other) {
        return !isTaken(one) && !isTaken(other);
    }

    private boolean isTaken(Belief belief) {
        return world.server.history(belief.claim).isTaken();
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    private void look(Belief belief) {
        boolean held = belief.isHeld();
        if (held) {
            isCounted(belief);
        }
        if (world.scenario.observed && !belief.process.isCrashed() && belief.lease.isValid() != held) {
            oracle.violated(Check.LOSS_TOLD, belief + ": isValid() is not " + held);
        }
        if (belief.over) {
            staysOver(belief);
            toldInTime(belief);
        } else if (!held) {
            belief.over = true;
            belief.overAt = world.now();
            ends(belief);
        } else if (belief.process.closing() != null) {
            oracle.violated(Check.NOTHING_LEAKED, belief + " holds on although its client is closed");
        } else if (isTaken(belief)) {
            robbedAndKnows(belief);
        } else if (!belief.claim.equals(world.server.holder(belief.name))) {
            oracle.violated(Check.EXCLUSION, belief + " believes in what the store no longer has");
        }
    }

    /** Every renewal that was sent after it was taken finds it gone, so the belief can't outlive its lease. */
    private void robbedAndKnows(Belief belief) {
        long since = world.server.history(belief.claim).takenAt();
        long longest = world.server.longestLease();
        if (world.now() - since > longest + longest / 50 && !belief.claim.equals(world.server.holder(belief.name))) {
            oracle.violated(Check.LOSS_TOLD, belief + " was robbed, and does not hear of it");
        }
    }

    /** The stored count follows, without being waited for; what the network loses is not sent again for it. */
    private void isCounted(Belief belief) {
        int count = Inside.count(belief.lease);
        if (count != belief.count) {
            belief.count = count;
            belief.countSince = world.now();
            belief.counted = false;
        } else if (!belief.counted && world.now() - belief.countSince > countBound) {
            belief.counted = true;
            if (world.scenario.ordered // otherwise an older count may overtake a newer one
                    && belief.process.wellSince() < belief.beganAt
                    && belief.claim.equals(world.server.holder(belief.name))
                    && world.server.holds(belief.name) != count) {
                oracle.violated(
                        Check.COUNTED,
                        belief + " has entered " + count + " times, and the store has "
                                + world.server.holds(belief.name));
            }
        }
    }

    private void ends(Belief belief) {
        if (belief.process.isCrashed()) {
            return;
        }
        if (belief.isReleased()) {
            if (Inside.count(belief.lease) != 0) {
                oracle.violated(Check.HONEST, belief + " was released while its owner was inside");
            }
            return;
        }
        world.trace.say("oracle", "%s no longer believes", belief);
        Duration watchdog = Inside.watchdogLease(belief.lease);
        if (watchdog != null
                && !isTaken(belief)
                && belief.process.closing() == null
                && world.now() - belief.process.wellSince() > watchdog.toNanos() + 20 * MILLI) {
            oracle.violated(Check.KEPT, belief + " was lost, and all was well");
        }
    }

    private void staysOver(Belief belief) {
        if (belief.isHeld()) {
            oracle.violated(Check.LOSS_TOLD, belief + " has come back after it had ended");
        }
    }

    private void toldInTime(Belief belief) {
        if (belief.told == 0
                && !belief.isReleased()
                && world.now() - belief.overAt > tellBound
                && world.now() - belief.process.runningSince() > tellBound) {
            oracle.violated(Check.LOSS_TOLD, belief + " has ended, and its holder was not told");
        }
    }

    private void told(Belief belief) {
        belief.told++;
        world.happened(What.LOSS_TOLD);
        world.trace.say(belief.process.id, "told that it has lost %s, token %d", belief.name, belief.token);
        if (belief.told > 1) {
            oracle.violated(Check.LOSS_TOLD, belief + " was told twice");
        } else if (belief.isReleased()) {
            oracle.violated(Check.LOSS_TOLD, belief + " was told after it had given back the lock");
        } else if (belief.isHeld()) {
            oracle.violated(Check.LOSS_TOLD, belief + " was told while it was good");
        }
    }
}
