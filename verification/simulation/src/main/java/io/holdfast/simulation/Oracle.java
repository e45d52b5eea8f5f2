package io.holdfast.simulation;

import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.ClientClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import io.holdfast.simulation.log.ErrorLog;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
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
    private final Order order = new Order(this);
    private @Nullable Violation violation;
    private long requests;

    Oracle(World world) {
        this.world = world;
        this.beliefs = new Beliefs(world, this);
        this.progress = new Progress(world, this, beliefs);
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

    // ---- after each event -------------------------------------------------------------------------------------

    void look() {
        beliefs.look();
        progress.look();
        if (!ErrorLog.errors().isEmpty()) {
            violated(Check.NO_ERROR, ErrorLog.errors().get(0));
        }
    }

    void atTheEnd() {
        progress.atTheEnd();
        for (SimProcess process : world.processes) {
            if (!process.isCrashed()) {
                none(process + ".engine.inUse()", process.engine.inUse());
                none(
                        process + ".engine.timers().size()",
                        process.engine.timers().size());
                none(process + ".engine.watched()", process.engine.watched());
                none(process + "'s open watches", process.store.watches());
                none("the number of open holds that the listener of " + process + " knows", process.listener.open());
                none(process + "'s watches at the store", world.server.watchedBy(process));
            }
        }
        for (String name : world.names) {
            String holder = world.server.holder(name);
            if (holder != null) {
                violated(Check.NOTHING_LEAKED, "the store still has " + holder + " on " + name);
            }
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
    }

    /** A hold has come into being, and this request is why. */
    void granted(Request request, long token) {
        order.granted(request, token);
    }

    @Nullable
    Request pendingOf(SimProcess process, String name, long owner) {
        return progress.pendingOf(process, name, owner);
    }

    void ended(Request request, boolean had, @Nullable Throwable failure) {
        progress.ended(request);
        SimProcess process = request.process;
        world.trace.say(
                process.id, "caller %d %s", request.owner, had ? "has it" : failure == null ? "has it not" : failure);
        if (had) {
            if (request.reentry) {
                world.happened(What.RE_ENTRY);
            }
            if (request.handle != null) {
                order.granted(request, request.handle.token());
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
        } else if (failure instanceof HoldfastException) {
            world.happened(What.STORE_REFUSED);
        } else if (!isOwnDoing(failure)) {
            violated(Check.HONEST, request + " was told " + failure);
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
            long lastHeld =
                    Math.max(world.server.lastGrant(request.name), beliefs.lastHeld(request.process, request.name));
            if (request.free && lastHeld < request.startedAt) {
                violated(Check.HONEST, request + " was told that the lock is taken, and it was free all the time");
            }
        } else {
            world.happened(What.TIMED_OUT);
            if (request.process.nanos() - request.startedAtLocal < request.wait) {
                violated(Check.HONEST, request + " was sent away before its time");
            }
        }
    }

    /**
     * Somebody has tried to leave.
     *
     * @param good whether it believed in its lease when it did
     */
    void left(
            Caller caller,
            SimProcess process,
            String claim,
            boolean good,
            long startedAt,
            @Nullable Throwable failure) {
        world.trace.say(process.id, "%s has left: %s", caller, failure == null ? "well" : failure);
        if (!good) {
            world.happened(What.UNLOCK_AFTER_LOSS);
            if (!(failure instanceof LeaseLostException)) {
                violated(Check.LOSS_TOLD, caller + " gave back what it had lost, and was told: " + failure);
            }
        } else if (failure instanceof LeaseLostException) {
            if (!world.server.history(claim).isReleasedInVain()) {
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
