package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.ClientClosedException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.engine.EngineProbe;
import io.holdfast.internal.lock.BlockingCalls;
import io.holdfast.simulation.Request.Way;
import io.holdfast.simulation.Tally.What;
import io.holdfast.spi.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in a process who takes locks, works under them and gives them back, a few times over; now and then longer than
 * the lease lasts, now and then entering again, and now and then leaving before it is served.
 */
final class Caller {

    private static final long LONGEST_WORK = 4 * SECOND;

    /** How often there is a contest: all have given back by then what they had in the one before, if all is well. */
    private static final long CONTEST = 200 * MILLI;

    /** How many contests there are for each round of other callers. */
    private static final int CONTESTS = 10;

    /** How often is tried for each time that others ask. */
    private static final int TRIES = 10;

    private final SimProcess process;
    private final World world;
    private final Dice dice;
    private final long owner;
    private final LockOptions options;

    /** Whether it never waits, and tries again and again. */
    private final boolean tries;

    private int roundsLeft;
    private boolean finished;

    /** What it has entered in this round and not left. */
    private final List<Want> inside = new ArrayList<>();

    /** How many permits of this round belong to its client. */
    private int permits;

    /** Asked and not answered yet. */
    private int waitingFor;

    /** What this round is about. */
    private Want want = Want.NOTHING;

    private @Nullable Lease handle;

    Caller(SimProcess process, long owner) {
        this.process = process;
        this.world = process.world;
        this.dice = world.dice;
        this.owner = owner;
        this.tries = world.scenario.fleet && dice.percent(10);
        this.roundsLeft = world.scenario.rounds * (tries ? TRIES : world.scenario.contest ? CONTESTS : 1);
        LockOptions kept = world.scenario.fleet || dice.percent(80)
                ? LockOptions.defaults()
                : LockOptions.defaults().lease(Duration.ofMillis(dice.pick(100, 300, 1_000, 3_000)));
        this.options = dice.percent(80) ? kept.linger(world.scenario.linger) : kept;
    }

    SimProcess process() {
        return process;
    }

    boolean isFinished() {
        return finished || process.isCrashed();
    }

    void begin() {
        later(
                isInContest()
                        ? untilTheNextContest()
                        : dice.spread(10 * MICRO, world.scenario.crowded ? 5 * MILLI : world.scenario.span / 2),
                this::nextRound);
    }

    private void later(long nanos, Runnable step) {
        process.schedule(step, nanos);
    }

    // ---- asking -----------------------------------------------------------------------------------------------

    private void nextRound() {
        if (roundsLeft-- == 0 || world.isCalm()) {
            finished = true;
            return;
        }
        want = Want.any(world);
        handle = null;
        inside.clear();
        permits = 0;
        Way way = isInContest()
                ? Way.TRY
                : tries ? Way.TRY : isOneOfTheCrowd() ? Way.PARK : dice.pick(world.scenario.fleet ? Way.KEPT : Way.ALL);
        boolean twice = dice.percent(10) && way == Way.LOCK && !want.isPermits();
        waitingFor = twice ? 2 : 1;
        ask(want, way);
        if (twice) {
            ask(
                    want,
                    world.scenario.fleet
                            ? way
                            : dice.pick(
                                    List.of(Way.LOCK, Way.LOCK_LEASED))); // an id may ask again before it is answered
        }
    }

    private void ask(Want asked, Way way) {
        Request request = new Request(
                process,
                asked,
                way,
                owner,
                world.oracle.nextNumber(),
                dice.spread(MILLI, 3 * SECOND),
                Duration.ofMillis(dice.spread(10, 5_000)),
                this::answered);
        request.start(options);
        // What a caller that left has under way is in the way of its rivals.
        if (!world.scenario.contest && dice.percent(15)) {
            long soon = dice.percent(30) ? 0 : dice.spread(10 * MICRO, world.scenario.crowded ? MILLI : SECOND);
            if (soon == 0) {
                request.quit();
            } else {
                later(soon, request::quit);
            }
        }
    }

    private void answered(Request request, boolean had, @Nullable Throwable failure) {
        if (had) {
            inside.add(request.want);
            handle = request.handle;
            permits = request.want.isPermits() && handle == null ? request.want.permits() : 0;
        }
        if (--waitingFor > 0) {
            return;
        }
        if (had) {
            later(workTime(), this::step);
        } else if (failure instanceof ClientClosedException && inside.isEmpty()) {
            want = Want.NOTHING;
            finished = true;
        } else if (!inside.isEmpty()) {
            later(workTime(), this::leave);
        } else {
            rest();
        }
    }

    private void rest() {
        want = Want.NOTHING;
        later(isInContest() ? untilTheNextContest() : thinkTime(), this::nextRound);
    }

    private boolean isInContest() {
        return world.scenario.contest && !world.isCalm();
    }

    /** The rivals come within less than what a few commands take. */
    private long untilTheNextContest() {
        return CONTEST - world.now() % CONTEST + dice.spread(MICRO, 2 * world.scenario.latency);
    }

    /** Whether it may have something of that name, or come to have it. */
    boolean isAbout(String name) {
        return want.isFor(name);
    }

    // ---- working ----------------------------------------------------------------------------------------------

    private void step() {
        if (handle == null
                && permits == 0
                && inside.size() < 3
                && dice.percent(isWriter() ? 50 : 25)
                && mayEnterAgain()) {
            waitingFor = 1;
            ask(again(), dice.pick(List.of(Way.LOCK, Way.LOCK_LEASED, Way.TRY, Way.TRY_LEASED, Way.PARK)));
        } else if (!world.scenario.fleet && dice.percent(20)) {
            extend();
        } else {
            leave();
        }
    }

    /** Whether it may take the read lock as well. */
    private boolean isWriter() {
        Want last = inside.get(inside.size() - 1);
        return !last.isMulti() && last.part().target().isReadWrite() && last.mode() == Mode.EXCLUSIVE;
    }

    /**
     * Who has lost the first of several locks and asks for all again holds the later ones and waits for the first, against
     * the order in which everybody takes them: that may wait for ever, and is the caller's own doing.
     */
    private boolean mayEnterAgain() {
        Want last = inside.get(inside.size() - 1);
        return !last.isMulti() || isGood(last, leases(last));
    }

    /** The same lock; of a read/write lock also the other one, which a writer gets and a reader does not. */
    private Want again() {
        Want last = inside.get(inside.size() - 1);
        return !last.isMulti() && last.part().target().isReadWrite() && dice.percent(70)
                ? last.in(last.mode() == Mode.SHARED ? Mode.EXCLUSIVE : Mode.SHARED)
                : last;
    }

    private void extend() {
        List<? extends Lease> leases = leases(inside.get(0));
        if (leases.isEmpty()) {
            leave();
            return;
        }
        Duration by = Duration.ofMillis(dice.spread(10, 5_000));
        world.trace.say(process.id, "caller %d extends %s by %s", owner, want, by);
        BlockingCalls.extend(handle != null ? handle : leases.get(0), by)
                .whenComplete((nothing, failure) -> process.execute(() -> {
                    if (failure == null) {
                        world.happened(What.EXTENDED);
                    }
                    later(workTime(), this::leave);
                }));
    }

    /** The holds by which it has something. */
    private List<? extends Lease> leases(Want had) {
        if (handle != null) {
            return EngineProbe.parts(handle);
        }
        List<Lease> leases = new ArrayList<>();
        for (Want.Part part : had.parts()) {
            String name = part.target().name();
            Lease lease = part.target().isLock() ? EngineProbe.holdOf(process.engine, name, part.mode(), owner) : null;
            if (lease != null) {
                leases.add(lease);
            }
        }
        return leases;
    }

    private void leave() {
        if (permits > 0) {
            leavePermits();
            return;
        }
        Want left = dice.pick(inside);
        List<? extends Lease> leases = leases(left);
        boolean good = isGood(left, leases);
        world.trace.say(process.id, "caller %d leaves %s%s", owner, left, good ? "" : ", which it has lost");
        CompletableFuture<Void> leaving = handle != null
                ? handle.closeAsync()
                : left.lock(process.locks, options).unlockAsync(owner);
        inside.remove(left);
        boolean last = handle != null || inside.isEmpty();
        told(leaving, leases, good, last);
    }

    private void leavePermits() {
        String name = want.part().target().name();
        int some = dice.percent(70) ? permits : dice.between(1, permits);
        List<Lease> leases = new ArrayList<>();
        int covered = 0;
        for (Lease lease : EngineProbe.clientHolds(process.engine, name)) {
            if (covered < some) {
                leases.add(lease);
                covered += EngineProbe.permits(lease);
            }
        }
        boolean good = leases.stream().allMatch(this::isGood);
        world.trace.say(process.id, "caller %d gives %d of %s back%s", owner, some, name, good ? "" : ", not all good");
        if (covered > some) {
            world.happened(What.PARTIAL_RELEASE);
        }
        permits -= some;
        told(want.semaphore(process.locks, options).releaseAsync(some), leases, good, permits == 0);
    }

    private boolean isGood(Want had, List<? extends Lease> leases) {
        return leases.size() == had.parts().size() && leases.stream().allMatch(this::isGood);
    }

    private boolean isGood(Lease lease) {
        return EngineProbe.believes(lease, process.nanos());
    }

    private void told(CompletableFuture<Void> leaving, List<? extends Lease> leases, boolean good, boolean last) {
        long startedAt = world.now();
        leaving.whenComplete((nothing, failure) -> {
            world.oracle.left(this, process, leases, good, startedAt, failure);
            if (last) {
                rest();
            } else {
                later(workTime(), this::leave);
            }
        });
    }

    private boolean isOneOfTheCrowd() {
        return world.scenario.crowded && dice.percent(80);
    }

    private long workTime() {
        if (isOneOfTheCrowd()) {
            return dice.between(MICRO, 20 * MICRO);
        }
        return world.scenario.fleet || world.scenario.contest || dice.percent(80)
                ? dice.spread(10 * MICRO, 20 * MILLI)
                : dice.spread(MILLI, LONGEST_WORK);
    }

    private long thinkTime() {
        if (isOneOfTheCrowd()) {
            return dice.between(MICRO, 20 * MICRO);
        }
        return dice.percent(world.scenario.fleet ? 90 : 50) ? dice.spread(MICRO, MILLI) : dice.spread(MILLI, SECOND);
    }

    @Override
    public String toString() {
        return "caller " + owner + " of " + process + " (" + want + ", inside " + inside + ")";
    }
}
