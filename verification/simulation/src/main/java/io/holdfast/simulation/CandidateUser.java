package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;

import io.holdfast.Candidacy;
import io.holdfast.Leader;
import io.holdfast.Leadership;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.Observation;
import io.holdfast.internal.election.CandidateCalls;
import io.holdfast.internal.election.ElectionProbe;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A candidate of the one election of its world: it leads when it is told to, takes its time to begin and to stop, fails, resigns and is
 * closed, and says if what it is told is not so. Some observe the election as well.
 */
final class CandidateUser implements CandidateCalls {

    static final String NAME = "A";

    private final SimProcess process;
    private final World world;
    private final Dice dice;
    private final int number;
    private final boolean observes;
    private final long stopNanos;
    private @Nullable Candidacy candidacy;
    private @Nullable Observation observation;
    private boolean closed;
    private boolean finished;

    /** What it was granted, until it has stopped. */
    private @Nullable Leadership leadership;

    private long grantedAt;
    private boolean revoked;
    private long greatest = Long.MIN_VALUE;

    CandidateUser(SimProcess process, int number) {
        this.process = process;
        this.world = process.world;
        this.dice = world.dice;
        this.number = number;
        this.observes = dice.percent(40);
        this.stopNanos = world.scenario.lease.toNanos() / 4;
    }

    SimProcess process() {
        return process;
    }

    boolean isFinished() {
        return finished || process.isCrashed();
    }

    void begin() {
        process.schedule(this::campaign, dice.spread(10 * MICRO, world.scenario.span / 2));
        world.at(world.scenario.span, () -> process.schedule(this::quit, 0));
    }

    private void campaign() {
        if (closed) {
            return;
        }
        candidacy = ElectionProbe.lead(process.locks, NAME, this);
        if (observes) {
            observation = process.locks.election(NAME, LockOptions.defaults()).observe(this::sees);
        }
        if (dice.percent(25)) {
            process.schedule(this::quit, dice.spread(MILLI, world.scenario.span));
        }
        resignNowAndThen();
    }

    private void resignNowAndThen() {
        Candidacy own = candidacy;
        if (own != null && !closed && !world.isCalm() && dice.percent(60)) {
            process.schedule(
                    () -> {
                        if (own.leadership().isPresent()) {
                            world.happened(What.RESIGNED);
                        }
                        own.resignAsync();
                        resignNowAndThen();
                    },
                    dice.spread(MILLI, world.scenario.span));
        }
    }

    private void quit() {
        if (closed) {
            return;
        }
        closed = true;
        world.trace.say(process.id, "%s is closed", this);
        if (observation != null) {
            observation.close();
        }
        if (candidacy == null) {
            finished = true;
        } else {
            candidacy.closeAsync().whenComplete((nothing, failure) -> {
                finished = true;
                honest(leadership == null, "was closed, and still leads");
            });
        }
    }

    // ---- what it is told --------------------------------------------------------------------------------------

    @Override
    public CompletionStage<Void> granted(Leadership granted) {
        world.trace.say(process.id, "%s leads with token %d", this, granted.token());
        world.happened(What.LED);
        honest(leadership == null, "leads again before it has stopped");
        honest(!closed, "was told that it leads after it was closed");
        honest(
                EngineProbe.believes(ElectionProbe.hold(granted), process.nanos()),
                "was told that it leads, and its leadership had ended");
        honest(granted.remaining().toNanos() > stopNanos, "was told that it leads when it should have stopped already");
        leadership = granted;
        grantedAt = world.now();
        revoked = false;
        CompletableFuture<Void> begun = new CompletableFuture<>();
        if (dice.percent(70)) {
            begun.complete(null);
        } else {
            process.schedule(() -> begun.complete(null), dice.spread(MICRO, 4 * stopNanos));
        }
        return begun;
    }

    @Override
    public CompletionStage<Void> revoked(Leadership told) {
        world.trace.say(process.id, "%s is revoked", this);
        honest(leadership == told && !revoked, "was revoked without a grant");
        revoked = true;
        if (EngineProbe.believes(ElectionProbe.hold(told), process.nanos())) {
            world.happened(What.REVOKED_IN_TIME);
        }
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        process.schedule(
                () -> {
                    leadership = null;
                    stopped.complete(null);
                },
                dice.percent(50) ? 0 : dice.spread(MICRO, dice.percent(90) ? stopNanos / 2 : 8 * stopNanos));
        return stopped;
    }

    @Override
    public void campaignFailed(Throwable failure) {
        world.trace.say(process.id, "%s could not campaign: %s", this, failure);
    }

    private void sees(Optional<Leader> leader) {
        world.happened(What.LEADER_SEEN);
        leader.ifPresent(seen -> {
            if (seen.token() < greatest && !world.scenario.restarts) {
                world.oracle.violated(
                        Check.TOKENS_RISE,
                        this + " has seen a leader with token " + seen.token() + " after " + greatest);
            }
            greatest = Math.max(greatest, seen.token());
        });
    }

    // ---- what must hold ---------------------------------------------------------------------------------------

    /** After each event. */
    void look() {
        Leadership current = leadership;
        if (current == null || process.isCrashed()) {
            return;
        }
        Lease hold = ElectionProbe.hold(current);
        if (EngineProbe.isReleased(hold)) {
            world.oracle.violated(Check.EXCLUSION, this + " has not stopped, and its leadership was given back");
        }
        if (!revoked && !EngineProbe.believes(hold, process.nanos()) && wasForeseeable(hold)) {
            world.oracle.violated(Check.LOSS_TOLD, this + " was not revoked before its leadership ended");
        }
    }

    /** True if the process had the time to see the end come, and only time has ended it. */
    private boolean wasForeseeable(Lease hold) {
        ClaimHistory history = world.server.history(EngineProbe.claimId(hold));
        long late = 4 * world.scenario.latestTimer + 10 * MILLI;
        return stopNanos / 4 > late
                && !history.isTaken()
                && !history.isNotFound()
                && world.now() - process.runningSince() > stopNanos + stopNanos / 8
                && world.now() - grantedAt > late;
    }

    void atTheEnd() {
        honest(process.isCrashed() || leadership == null, "was never revoked");
    }

    private void honest(boolean good, String what) {
        if (!good) {
            world.oracle.violated(Check.HONEST, this + " " + what);
        }
    }

    @Override
    public String toString() {
        return "candidate " + number;
    }
}
