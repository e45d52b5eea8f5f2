package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.Claimant;
import io.holdfast.Lease;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All who hold something or have held it, and what must be true of them: writers alone, no more permits than there are,
 * tokens rising, an end that is told and is final. A belief begins in an event and can only end between two, so to look after each event is to look always.
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
    private final Tokens tokens;
    private final Set<Lease> seen = new HashSet<>();
    private final Set<String> claims = new HashSet<>();
    private final Set<String> kept = new HashSet<>();
    private long lastLookBack;

    Beliefs(World world, Oracle oracle) {
        this.world = world;
        this.oracle = oracle;
        this.tellBound = 4 * world.scenario.latestTimer + 5 * MILLI;
        this.countBound = tellBound + 10 * world.scenario.latency + 300 * MILLI;
        this.tokens = new Tokens(oracle);
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
        for (SimProcess process : world.processes) {
            if (!process.isCrashed()) {
                for (Target target : world.targets) {
                    for (Lease lease : EngineProbe.holds(process.engine, target.type(), target.name())) {
                        if (seen.add(lease)) {
                            begins(new Belief(process, lease));
                        }
                    }
                    String lingering = !world.scenario.linger.isZero() && target.isLock()
                            ? EngineProbe.lingering(process.engine, target.name())
                            : null;
                    if (lingering != null) {
                        kept.add(lingering);
                    }
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

    /** Those who hold now. */
    Stream<Belief> held() {
        return beliefs.stream().filter(Belief::isHeld);
    }

    /** Whether that owner has had the part, and has not given it back by then. */
    boolean has(SimProcess process, long owner, Want.Part part) {
        return Stream.concat(beliefs.stream(), past.stream())
                .anyMatch(belief -> belief.process == process
                        && belief.name.equals(part.target().name())
                        && belief.mode == part.mode()
                        && belief.owner != null
                        && belief.owner == owner
                        && !belief.isReleased());
    }

    private static boolean isSettled(Belief belief) {
        return belief.told > 0 || belief.isReleased() || belief.process.isCrashed();
    }

    // ---- the beginning ----------------------------------------------------------------------------------------

    private void begins(Belief belief) {
        boolean handedOn = !claims.add(belief.claim);
        world.happened(
                switch (belief.mode) {
                    case EXCLUSIVE ->
                        kept.contains(belief.claim) ? What.TAKEN_UP : handedOn ? What.HAND_OFF : What.GRANT;
                    case SHARED -> What.SHARED_GRANT;
                    case PERMITS -> What.PERMITS_GRANT;
                });
        world.trace.say("oracle", "%s believes%s", belief, handedOn ? ", handed on" : "");
        beliefs.add(belief);
        belief.lease.onLost(lease -> told(belief));
        if (!isTaken(belief)) {
            standsBeside(belief);
            tokens.given(belief);
        }
        Request request =
                belief.owner == null ? null : oracle.pendingOf(belief.process, belief.name, belief.mode, belief.owner);
        if (request != null && request.isPlain()) {
            oracle.granted(request, belief.token);
        } else if (belief.owner == null && belief.mode == Mode.EXCLUSIVE) {
            oracle.grantedToHandle(belief);
        }
    }

    /** Whether it may be there together with those who are. */
    private void standsBeside(Belief belief) {
        int permits = 0;
        for (Belief other : beliefs) {
            if (other.name.equals(belief.name) && other.isHeld() && !isTaken(other)) {
                permits += other.permits;
                if (other != belief && !other.isCompatibleWith(belief)) {
                    oracle.violated(
                            Check.EXCLUSION, belief + " and " + other + " both believe that they hold the lock");
                } else if (other != belief && belief.mode == Mode.SHARED && other.mode == Mode.EXCLUSIVE) {
                    world.happened(What.DOWNGRADE);
                }
            }
        }
        if (belief.mode == Mode.PERMITS && permits > world.server.mostPermits(belief.name)) {
            oracle.violated(
                    Check.EXCLUSION,
                    belief + " is one of those who believe in " + permits + " permits of "
                            + world.server.mostPermits(belief.name));
        }
    }

    /** Who was robbed, by force or by a store that forgot, believes on for a while, and can't help it. */
    private boolean isTaken(Belief belief) {
        return world.server.history(belief.claim).isTaken();
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    private void look(Belief belief) {
        boolean held = belief.isHeld();
        if (held) {
            isCounted(belief);
            isShrunk(belief);
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
        } else if (belief.process.closing() != null && !mayStillStop(belief.process)) {
            oracle.violated(Check.NOTHING_LEAKED, belief + " holds on although its client is closed");
        } else if (isTaken(belief)) {
            robbedAndKnows(belief);
        } else if (!world.server.isHeld(belief.claim, belief.name)) {
            oracle.violated(Check.EXCLUSION, belief + " believes in what the store no longer has");
        }
    }

    /** Every renewal that was sent after it was taken finds it gone, so the belief can't outlive its lease. */
    private void robbedAndKnows(Belief belief) {
        long since = world.server.history(belief.claim).takenAt();
        long longest = world.server.longestLease();
        if (world.now() - since > longest + longest / 50 && !world.server.isHeld(belief.claim, belief.name)) {
            oracle.violated(Check.LOSS_TOLD, belief + " was robbed, and does not hear of it");
        }
    }

    /** The stored count follows, without being waited for; what the network loses is not sent again for it. */
    private void isCounted(Belief belief) {
        int count = EngineProbe.count(belief.lease);
        if (count != belief.count) {
            belief.count = count;
            belief.countSince = world.now();
            belief.counted = false;
        } else if (!belief.counted && world.now() - belief.countSince > countBound) {
            belief.counted = true;
            Claimant stored = world.server.holder(belief.claim, belief.name);
            if (world.scenario.ordered // otherwise an older count may overtake a newer one
                    && belief.process.wellSince() < belief.beganAt
                    && stored != null
                    && stored.holds() != count) {
                oracle.violated(
                        Check.COUNTED,
                        belief + " has entered " + count + " times, and the store has " + stored.holds());
            }
        }
    }

    /** Permits that were given back are free for others; if the network loses that, the next renewal says so again. */
    private void isShrunk(Belief belief) {
        if (belief.mode != Mode.PERMITS) {
            return;
        }
        int permits = EngineProbe.permits(belief.lease);
        if (permits != belief.permits) {
            belief.permits = permits;
            belief.permitsSince = world.now();
        }
        Claimant stored = world.server.holder(belief.claim, belief.name);
        Duration watchdog = EngineProbe.watchdogLease(belief.lease);
        long renewed = watchdog == null ? 0 : watchdog.toNanos() / 2;
        long since = watchdog == null && belief.process.wellSince() >= belief.permitsSince
                ? Long.MAX_VALUE
                : Math.max(belief.permitsSince, belief.process.wellSince());
        if (stored != null && stored.permits() > permits && world.now() - since > renewed + countBound) {
            oracle.violated(
                    Check.NOTHING_LEAKED,
                    belief + " has " + permits + " permits left, and the store keeps " + stored.permits() + " for it");
        }
        if (stored != null && stored.permits() < permits && !isTaken(belief)) {
            oracle.violated(
                    Check.EXCLUSION,
                    belief + " believes in " + permits + " permits, and the store has " + stored.permits());
        }
    }

    /** The candidates of a client that closes have half of its time-out to stop. */
    private boolean mayStillStop(SimProcess process) {
        long since = Math.max(process.closedAt(), process.runningSince());
        return world.scenario.election
                && (since == Long.MAX_VALUE
                        || world.now() - since < world.scenario.timeout.toNanos() / 2 + oracle.bound());
    }

    private void ends(Belief belief) {
        if (belief.process.isCrashed()) {
            return;
        }
        if (belief.isReleased()) {
            if (EngineProbe.count(belief.lease) != 0) {
                oracle.violated(Check.HONEST, belief + " was released while its owner was inside");
            }
            return;
        }
        world.trace.say("oracle", "%s no longer believes", belief);
        Duration watchdog = EngineProbe.watchdogLease(belief.lease);
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
