package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.Lease;
import io.holdfast.internal.Inside;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    private record Place(SimProcess process, String name) {}

    /** A claim that the store has, and that its client no longer stands by. */
    private record Orphan(String claim, long since) {}

    private final World world;
    private final Oracle oracle;
    private final Beliefs beliefs;
    /** How much longer than its wait a caller stays for the first answer, by a clock that may be slow. */
    private static final long FIRST_ANSWER = 102 * MILLI;

    private final long slack;
    private final long bound;
    private final List<Request> pending = new ArrayList<>();
    private final Map<String, Long> lastHeld = new HashMap<>();
    private final Map<String, Orphan> orphans = new HashMap<>();
    private final Map<Place, Long> unwanted = new HashMap<>();
    private long lastLook = -OFTEN;

    Progress(World world, Oracle oracle, Beliefs beliefs) {
        this.world = world;
        this.oracle = oracle;
        this.beliefs = beliefs;
        Scenario scenario = world.scenario;
        long reply = scenario.timeout.toNanos() / 3;
        this.slack = 6 * scenario.latestTimer + 10 * MILLI;
        this.bound = 2 * reply + 2 * Math.min(reply, LONGEST_BACKOFF) + RECHECK + 10 * scenario.latency + 2 * slack;
    }

    void started(Request request) {
        pending.add(request);
    }

    void ended(Request request) {
        pending.remove(request);
    }

    @Nullable
    Request pendingOf(SimProcess process, String name, long owner) {
        for (Request request : pending) {
            if (request.process == process && request.owner == owner && request.name.equals(name)) {
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
        for (String name : world.names) {
            String holder = world.server.holder(name);
            if (holder == null) {
                orphans.remove(name);
                nobodyWaitsFor(name);
            } else {
                lastHeld.put(name, world.now());
                somebodyNeeds(name, holder);
            }
        }
        pending.forEach(this::inTime);
        for (SimProcess process : world.processes) {
            if (!process.isCrashed()) {
                world.names.forEach(name -> lookAt(process, name));
            }
        }
    }

    private void nobodyWaitsFor(String name) {
        long freeSince = Math.max(lastHeld.getOrDefault(name, 0L), world.server.lastGrant(name));
        for (Request request : pending) {
            if (request.name.equals(name)
                    && isOverdue(Math.max(freeSince, request.startedAt), request.process)
                    // Somebody in its own process may hold it, robbed and not yet told.
                    && isOverdue(beliefs.lastHeld(request.process, name), request.process)) {
                oracle.violated(Check.NO_HANG, name + " is free, and " + request + " waits for it");
            }
        }
    }

    private void somebodyNeeds(String name, String claim) {
        SimProcess process = world.processes.stream()
                .filter(candidate -> claim.startsWith(candidate.id + ":"))
                .findFirst()
                .orElseThrow();
        if (process.isCrashed() || claim.equals(Inside.claimOf(process.engine, name))) {
            orphans.remove(name);
            return;
        }
        Orphan orphan = orphans.get(name);
        if (orphan == null || !orphan.claim.equals(claim)) {
            orphan = new Orphan(claim, world.now());
            orphans.put(name, orphan);
            if (world.server.history(claim).isBeyondHelp()) {
                world.happened(What.GRANT_TO_NOBODY);
            }
        }
        if (isOverdue(orphan.since, process) && !world.server.history(claim).isBeyondHelp()) {
            oracle.violated(
                    Check.NOTHING_LEAKED, claim + " has " + name + ", and " + process + " does not give it back");
        }
    }

    private void lookAt(SimProcess process, String name) {
        Place place = new Place(process, name);
        Lease lease = Inside.hold(process.engine, name);
        boolean held = lease != null && Inside.believes(lease, process.nanos());
        boolean wanted = held || pending.stream().anyMatch(r -> r.process == process && r.name.equals(name));
        if (wanted || !Inside.isInUse(process.engine, name)) {
            unwanted.remove(place);
        } else if (isOverdue(unwanted.computeIfAbsent(place, unused -> world.now()), process)) {
            oracle.violated(Check.NOTHING_LEAKED, process + " asks for " + name + ", and nobody there wants it");
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

    /** Who has the lock need not wait for it. */
    private void enteredAgain(Request request) {
        Lease lease =
                request.way.ofHandle() ? null : Inside.holdOf(request.process.engine, request.name, request.owner);
        if (lease == null || !Inside.believes(lease, request.process.nanos())) {
            request.ownedSince = Long.MAX_VALUE;
        } else if (request.ownedSince == Long.MAX_VALUE) {
            request.ownedSince = world.now();
        } else if (isOverdue(request.ownedSince, request.process)) {
            oracle.violated(Check.NO_HANG, request + " waits for a lock that it has");
        }
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
