package io.holdfast.simulation;

import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.ClientClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.simulation.log.ErrorLog;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything, in the world's own time, and says when a promise is broken. After each event it looks at the holders
 * ({@link Beliefs}), at those who wait ({@link Progress}) and at the log; callers report what they are told.
 */
final class Oracle {

    /** A watch is kept for 10 s after its use and is looked for every 5 s, and clocks may be slow. */
    private static final long WATCH_KEPT = 16 * SECOND;

    /** What is still there after this time and the longest lease stays for ever. */
    static final long QUIET = WATCH_KEPT + Network.LATEST;

    private final World world;
    private final Beliefs beliefs;
    private final Progress progress;
    private final ExpectedQueues queues;
    private final Fleet fleet;
    private final Contest contest;
    private final Order order = new Order(this);
    private @Nullable Violation violation;
    private long requests;

    Oracle(World world) {
        this.world = world;
        this.beliefs = new Beliefs(world, this);
        this.progress = new Progress(world, this, beliefs);
        this.queues = new ExpectedQueues(world, this, progress.bound());
        this.fleet = new Fleet(world, this);
        this.contest = new Contest(world, this);
    }

    void violated(Check check, String message) {
        if (violation == null) {
            violation = new Violation(check, message);
            world.trace.say("oracle", "%s", violation);
        }
    }

    boolean isViolated() {
        return violation != null;
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    long nextNumber() {
        return ++requests;
    }

    /** How long a process that is well may take for what it has to do. */
    long bound() {
        return progress.bound();
    }

    ExpectedQueues queues() {
        return queues;
    }

    Fleet fleet() {
        return fleet;
    }

    // ---- after each event -------------------------------------------------------------------------------------

    void look() {
        beliefs.look();
        progress.look();
        queues.look();
        world.latchUsers.forEach(LatchUser::look);
        world.candidates.forEach(CandidateUser::look);
        if (!ErrorLog.errors().isEmpty()) {
            violated(Check.NO_ERROR, ErrorLog.errors().get(0));
        }
    }

    void atTheEnd() {
        progress.atTheEnd();
        fleet.atTheEnd();
        world.candidates.forEach(CandidateUser::atTheEnd);
        for (SimProcess process : world.processes) {
            if (!process.isCrashed()) {
                none(process + ".engine.inUse()", process.engine.inUse());
                none(
                        process + ".engine.timers().size()",
                        process.engine.timers().size());
                none(process + ".engine.watched()", process.engine.watched());
                none(process + "'s open watches", process.store.watches());
                none("the number of open holds that the listener of " + process + " knows", process.listener.open());
                if (process.closing() != null) {
                    none(process + "'s listening for calls", process.store.listens());
                }
                none(process + "'s watches at the store", world.server.watchedBy(process));
            }
        }
        for (Target target : world.targets) {
            LockState state = world.server.state(target.name());
            Stream.concat(state.holders().stream(), state.waiters().stream())
                    .forEach(claim ->
                            violated(Check.NOTHING_LEAKED, "the store still has " + claim.claimId() + " on " + target));
        }
    }

    private void none(String what, long count) {
        if (count != 0) {
            violated(Check.NOTHING_LEAKED, what + " is " + count + " when all is over");
        }
    }

    // ---- what callers report ----------------------------------------------------------------------------------

    void started(Request request) {
        progress.started(request);
        contest.started(request);
    }

    /** The store has granted a claim, in its turn or before it; those whose turn it was may have to wait again. */
    void granted(Claim claim) {
        queues.granted(claim);
        fleet.granted(claim, queues.waiting());
        progress.turns().look();
    }

    /** A hold has come into being, and this request is why. */
    void granted(Request request, long token) {
        order.granted(request, token);
    }

    /** A hold has come into being; why will be known when its request has it. */
    void grantedToHandle(Belief belief) {
        order.grantedToHandle(belief);
    }

    /** The request is next, and its thread was called. */
    void called(Request request) {
        order.called(request);
    }

    /** It was called, and its thread is awake. */
    void awake(Request request) {
        order.awake(request);
    }

    @Nullable
    Request pendingOf(SimProcess process, String name, Mode mode, long owner) {
        return progress.pendingOf(process, name, mode, owner);
    }

    void ended(Request request, boolean had, @Nullable Throwable failure) {
        progress.ended(request);
        contest.ended(request, had, failure);
        order.awake(request);
        if (!had) {
            fleet.hadNot(request);
        }
        SimProcess process = request.process;
        world.trace.say(
                process.id, "caller %d %s", request.owner, had ? "has it" : failure == null ? "has it not" : failure);
        if (had) {
            if (request.reentry) {
                world.happened(What.RE_ENTRY);
            }
            if (request.handle != null && request.isPlain()) {
                order.granted(request, request.handle.token());
            }
            if (request.want.isMulti()) {
                world.happened(What.MULTI_LOCK);
            }
            if (!request.want.isPermits()) {
                hasAll(request);
            }
        } else if (failure == null) {
            refusedHonestly(request);
        } else if (failure instanceof ClientClosedException) {
            world.happened(What.CLIENT_CLOSED);
            if (process.closing() == null) {
                violated(Check.HONEST, request + " was told that its client is closed");
            }
        } else if (failure instanceof StoreUnavailableException) {
            world.happened(What.STORE_UNAVAILABLE);
            long grace = 2 * world.scenario.timeout.toNanos() + SECOND;
            if (process.wellSince() < request.startedAt - grace) {
                violated(Check.HONEST, request + " was told " + failure + ", and all was well");
            }
        } else if (failure instanceof StoreRefusedException) {
            world.happened(What.STORE_REFUSED);
        } else if (failure instanceof HoldfastException) {
            world.happened(What.UPGRADE_REFUSED);
            if (request.want.parts().stream()
                    .noneMatch(part -> beliefs.has(process, request.owner, part.in(Mode.SHARED)))) {
                violated(Check.HONEST, request + " was told " + failure + ", and it is no reader");
            }
        } else if (!isOwnDoing(failure)) {
            violated(Check.HONEST, request + " was told " + failure);
        }
    }

    /** Whoever is told that it has a lock has it, and all of several, or has lost it since. */
    private void hasAll(Request request) {
        Lease handle = request.handle;
        for (int i = 0; i < request.want.parts().size(); i++) {
            Want.Part part = request.want.parts().get(i);
            boolean had = handle == null
                    ? beliefs.has(request.process, request.owner, part)
                    : EngineProbe.parts(handle).stream()
                            .anyMatch(lease -> lease.name().equals(part.target().name())
                                    && EngineProbe.claim(lease).mode() == part.mode());
            if (!had) {
                violated(Check.EXCLUSION, request + " was told that it has what it wants, and has not " + part);
            }
        }
    }

    private static boolean isOwnDoing(Throwable failure) {
        return failure instanceof CancellationException
                || failure instanceof TimeoutException
                || failure instanceof InterruptedException
                || failure instanceof IllegalStateException; // the store threw it
    }

    private void refusedHonestly(Request request) {
        if (request.wasQuit()) {
            return;
        }
        if (request.wait == 0) {
            world.happened(What.REFUSED_NOW);
            if (request.free
                    && request.want.parts().stream().allMatch(part -> lastHeld(request, part) < request.startedAt)) {
                violated(Check.HONEST, request + " was told that the lock is taken, and it was free all the time");
            }
        } else {
            world.happened(What.TIMED_OUT);
            if (request.process.nanos() - request.startedAtLocal < request.wait) {
                violated(Check.HONEST, request + " was sent away before its time");
            }
        }
    }

    private long lastHeld(Request request, Want.Part part) {
        String name = part.target().name();
        return Math.max(world.server.lastGrant(name), beliefs.lastHeld(request.process, name));
    }

    /**
     * Somebody has tried to leave.
     *
     * @param good whether it believed in its lease when it did
     */
    void left(
            Caller caller,
            SimProcess process,
            List<? extends Lease> leases,
            boolean good,
            long startedAt,
            @Nullable Throwable failure) {
        world.trace.say(process.id, "%s has left: %s", caller, failure == null ? "well" : failure);
        if (!good) {
            world.happened(What.UNLOCK_AFTER_LOSS);
            // Whoever is still inside is told by the last unlock at the latest; the others don't ask the clock.
            boolean inside = failure == null && leases.stream().allMatch(lease -> EngineProbe.count(lease) > 0);
            if (!(failure instanceof LeaseLostException) && !inside) {
                violated(Check.LOSS_TOLD, caller + " gave back what it had lost, and was told: " + failure);
            }
        } else if (failure instanceof LeaseLostException) {
            // Part of its permits is given back by a renewal, and that may come too late.
            if (leases.stream()
                    .noneMatch(lease ->
                            world.server.history(EngineProbe.claimId(lease)).isNotFound()
                                    || (EngineProbe.claim(lease).mode() == Mode.PERMITS
                                            && !EngineProbe.isReleased(lease)
                                            && !EngineProbe.believes(lease, process.nanos())))) {
                violated(Check.HONEST, caller + " gave back a good lease, and was told " + failure);
            }
        } else if (failure != null) {
            world.happened(What.UNLOCK_UNCONFIRMED);
            if (process.wellSince() < startedAt) {
                violated(Check.HONEST, caller + " was told " + failure + ", and all was well");
            }
        } else {
            world.happened(What.UNLOCK);
        }
    }
}
