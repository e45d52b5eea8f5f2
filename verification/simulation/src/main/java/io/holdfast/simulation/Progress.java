package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.Lease;
import io.holdfast.LockState;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.spi.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * That things go on: a lock that is free does not stay free while somebody waits for it, a lock that nobody needs does not
 * stay taken, and nobody waits longer than it said. All of it within a bound, once the network has let the process be.
 */
final class Progress {

    private static final long OFTEN = 20 * MILLI;

    /** What a waiter does by itself, whatever it is told. */
    private static final long RECHECK = SECOND;

    private static final long LONGEST_BACKOFF = 640 * MILLI;

    /** The queue of one name in one process. */
    private record Ticket(SimProcess process, String name) {}

    private final World world;
    private final Oracle oracle;
    private final Beliefs beliefs;
    /** How much longer than its wait a caller stays for the first answer, by a clock that may be slow. */
    private static final long FIRST_ANSWER = 102 * MILLI;

    private final long slack;
    private final long bound;
    private final List<Request> pending = new ArrayList<>();

    /** By name, when a claim last held it, or waited for it in the store's queue. */
    private final Map<String, Long> lastInUse = new HashMap<>();

    private final Map<String, Long> orphans = new HashMap<>();
    private final Turns turns;
    private final Lingering lingering;
    private final Map<Ticket, Long> unwanted = new HashMap<>();
    private long lastLook = -OFTEN;

    Progress(World world, Oracle oracle, Beliefs beliefs) {
        this.world = world;
        this.oracle = oracle;
        this.beliefs = beliefs;
        Scenario scenario = world.scenario;
        long reply = scenario.timeout.toNanos() / 3;
        this.slack = 6 * scenario.latestTimer + 10 * MILLI;
        this.bound = 2 * reply + 2 * Math.min(reply, LONGEST_BACKOFF) + RECHECK + 10 * scenario.latency + 2 * slack;
        this.turns = new Turns(world, oracle, bound);
        this.lingering = new Lingering(world, oracle, bound);
    }

    /** How long a process that is well may take for what it has to do. */
    long bound() {
        return bound;
    }

    Turns turns() {
        return turns;
    }

    void started(Request request) {
        pending.add(request);
    }

    void ended(Request request) {
        pending.remove(request);
    }

    @Nullable
    Request pendingOf(SimProcess process, String name, Mode mode, long owner) {
        for (Request request : pending) {
            if (request.process == process
                    && request.owner == owner
                    && !request.want.isMulti()
                    && request.want.isFor(name)
                    && request.want.mode() == mode) {
                return request;
            }
        }
        return null;
    }

    void look() {
        if (world.now() - lastLook < OFTEN) {
            return;
        }
        lastLook = world.now();
        Set<String> stored = new HashSet<>();
        for (Target target : world.targets) {
            String name = target.name();
            LockState state = world.server.state(name);
            if (!state.holders().isEmpty() || !state.waiters().isEmpty()) {
                lastInUse.put(name, world.now());
            }
            Stream.concat(state.holders().stream(), state.waiters().stream()).forEach(claimant -> {
                stored.add(claimant.claimId());
                somebodyNeeds(target, claimant.claimId());
            });
        }
        orphans.keySet().retainAll(stored);
        pending.forEach(this::isFree);
        pending.forEach(this::inTime);
        for (SimProcess process : world.processes) {
            if (!process.isCrashed()) {
                world.targets.forEach(target -> lookAt(process, target));
            }
        }
        beliefs.held().forEach(this::somebodyHas);
        turns.look();
    }

    /** What is waited for has been free for long, and nobody is in the store's queue: {@link Turns} looks at those who are. */
    private void isFree(Request request) {
        if (!request.isPlain() && !request.want.parts().stream().allMatch(Want.Part::isPlain)) {
            return;
        }
        for (Want.Part part : request.want.parts()) {
            String name = part.target().name();
            long freeSince = Math.max(lastInUse.getOrDefault(name, 0L), world.server.lastGrant(name));
            if (!isOverdue(Math.max(freeSince, request.startedAt), request.process)
                    // Somebody in its own process may hold it, robbed and not yet told.
                    || !isOverdue(beliefs.lastHeld(request.process, name), request.process)) {
                return;
            }
        }
        oracle.violated(Check.NO_HANG, request.want + " is free, and " + request + " waits for it");
    }

    /** The store has the claim, held or waiting: its client stands by it, or gives it back. */
    private void somebodyNeeds(Target target, String claim) {
        SimProcess process = world.processOf(claim);
        if (process.isCrashed()
                || EngineProbe.claims(process.engine, target.type(), target.name())
                        .contains(claim)) {
            orphans.remove(claim);
            return;
        }
        if (world.scenario.election && process.closing() != null) {
            return; // a candidate that has not stopped in time leaves its leadership to its lease
        }
        if (orphans.putIfAbsent(claim, world.now()) == null
                && world.server.history(claim).isBeyondHelp()) {
            world.happened(What.GRANT_TO_NOBODY);
        }
        if (isOverdue(orphans.get(claim), process)
                && !world.server.history(claim).isBeyondHelp()) {
            oracle.violated(
                    Check.NOTHING_LEAKED,
                    "the store has " + claim + " on " + target.name() + ", and " + process + " does not give it back");
        }
    }

    private void lookAt(SimProcess process, Target target) {
        String name = target.name();
        Ticket ticket = new Ticket(process, name);
        boolean lingers = target.isLock() && EngineProbe.lingering(process.engine, name) != null;
        if (lingers) {
            lingering.look(process, name, pending);
        }
        boolean wanted = lingers
                || pending.stream().anyMatch(r -> r.process == process && r.want.isFor(name))
                || hasCandidate(process)
                || EngineProbe.holds(process.engine, target.type(), name).stream()
                        .anyMatch(lease -> EngineProbe.believes(lease, process.nanos()));
        if (wanted || !EngineProbe.isInUse(process.engine, target.type(), name)) {
            unwanted.remove(ticket);
        } else if (isOverdue(unwanted.computeIfAbsent(ticket, unused -> world.now()), process)) {
            oracle.violated(Check.NOTHING_LEAKED, process + " asks for " + name + ", and nobody there wants it");
        }
    }

    private boolean hasCandidate(SimProcess process) {
        return world.candidates.stream().anyMatch(user -> user.process() == process && !user.isFinished());
    }

    /** Whatever is held is some caller's. */
    private void somebodyHas(Belief belief) {
        boolean owned = belief.owner != null
                ? world.callers.get(Math.toIntExact(belief.owner) - 1).isAbout(belief.name)
                : world.callers.stream()
                                .anyMatch(caller -> caller.process() == belief.process && caller.isAbout(belief.name))
                        || hasCandidate(belief.process);
        if (owned) {
            belief.unownedSince = Long.MAX_VALUE;
        } else if (belief.unownedSince == Long.MAX_VALUE) {
            belief.unownedSince = world.now();
        } else if (isOverdue(belief.unownedSince, belief.process)) {
            oracle.violated(Check.NOTHING_LEAKED, belief + " is nobody's, and is not given back");
        }
    }

    private boolean isOverdue(long since, SimProcess process) {
        return world.now() - Math.max(since, process.wellSince()) > bound;
    }

    private void inTime(Request request) {
        enteredAgain(request);
        if (request.process.closing() != null
                && isOverdue(Math.max(request.startedAt, request.process.closedAt()), request.process)) {
            oracle.violated(Check.NO_HANG, request + " waits although its client is closed");
        }
        if (request.wait == Request.FOREVER || request.process.isCrashed()) {
            return;
        }
        long waited = world.now() - request.startedAt;
        long running = world.now() - request.process.runningSince();
        boolean late = request.wait > 0
                ? waited > request.wait + request.wait / 90 + FIRST_ANSWER + slack && running > FIRST_ANSWER + slack
                // Who does not want to wait still has to wait for an answer.
                : Math.min(waited, running) > 2 * world.scenario.timeout.toNanos() + bound;
        if (late) {
            oracle.violated(Check.NO_HANG, request + " wanted to wait no longer than " + Time.show(request.wait));
        }
    }

    /** Who has the lock need not wait for it, and who reads can't wait to write. */
    private void enteredAgain(Request request) {
        boolean own = isGood(request, request.want.part());
        boolean reads = isGood(request, request.want.part().in(Mode.SHARED));
        if (request.want.isMulti() || !(own || reads)) {
            request.ownedSince = Long.MAX_VALUE;
        } else if (request.ownedSince == Long.MAX_VALUE) {
            request.ownedSince = world.now();
        } else if (isOverdue(request.ownedSince, request.process)) {
            oracle.violated(
                    Check.NO_HANG, request + (own ? " waits for a lock that it has" : " waits for itself, who reads"));
        }
    }

    private static boolean isGood(Request request, Want.Part part) {
        if (request.way.ofHandle() || !part.target().isLock()) {
            return false;
        }
        Lease lease = EngineProbe.holdOf(request.process.engine, part.target().name(), part.mode(), request.owner);
        return lease != null && EngineProbe.believes(lease, request.process.nanos());
    }

    void atTheEnd() {
        for (Request request : pending) {
            if (!request.process.isCrashed()) {
                oracle.violated(Check.NO_HANG, request + " was never answered");
            }
        }
        for (SimProcess process : world.processes) {
            CompletableFuture<Void> closing = process.closing();
            if (closing != null && !closing.isDone() && !process.isCrashed()) {
                oracle.violated(Check.NO_HANG, process + " never finished closing");
            }
        }
    }
}
