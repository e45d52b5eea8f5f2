package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.ClientClosedException;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.internal.Inside;
import io.holdfast.simulation.Request.Way;
import io.holdfast.simulation.Tally.What;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in a process who takes locks, works under them and gives them back, a few times over; now and then longer than
 * the lease lasts, now and then entering again, and now and then leaving before it is served.
 */
final class Caller {

    private static final long LONGEST_WORK = 4 * SECOND;

    private final SimProcess process;
    private final World world;
    private final Dice dice;
    private final long owner;
    private final LockOptions options;
    private int roundsLeft;
    private boolean finished;

    /** How often it has entered the lock of this round and not left it. */
    private int inside;

    /** Asked and not answered yet. */
    private int waitingFor;

    private String name = "";
    private @Nullable Lease handle;

    Caller(SimProcess process, long owner) {
        this.process = process;
        this.world = process.world;
        this.dice = world.dice;
        this.owner = owner;
        this.roundsLeft = world.scenario.rounds;
        this.options = dice.percent(80)
                ? LockOptions.defaults()
                : LockOptions.defaults().lease(Duration.ofMillis(dice.pick(100, 300, 1_000, 3_000)));
    }

    boolean isFinished() {
        return finished || process.isCrashed();
    }

    void begin() {
        later(dice.spread(10 * MICRO, world.scenario.span / 2), this::nextRound);
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
        name = dice.pick(world.names);
        handle = null;
        inside = 0;
        Way way = dice.pick(Way.ALL);
        boolean twice = dice.percent(10) && way == Way.LOCK;
        waitingFor = twice ? 2 : 1;
        ask(way);
        if (twice) {
            ask(dice.pick(List.of(Way.LOCK, Way.LOCK_LEASED))); // an id may ask again before it is answered
        }
    }

    private void ask(Way way) {
        Request request = new Request(
                process,
                name,
                way,
                owner,
                world.oracle.nextNumber(),
                dice.spread(MILLI, 3 * SECOND),
                Duration.ofMillis(dice.spread(10, 5_000)),
                this::answered);
        request.start(options);
        if (dice.percent(15)) {
            long soon = dice.percent(30) ? 0 : dice.spread(10 * MICRO, SECOND);
            if (soon == 0) {
                request.quit();
            } else {
                later(soon, request::quit);
            }
        }
    }

    private void answered(Request request, boolean had, @Nullable Throwable failure) {
        if (had) {
            inside++;
            handle = request.handle;
        }
        if (--waitingFor > 0) {
            return;
        }
        if (had) {
            later(workTime(), this::step);
        } else if (failure instanceof ClientClosedException && inside == 0) {
            finished = true;
        } else if (inside > 0) {
            later(workTime(), this::leave);
        } else {
            later(thinkTime(), this::nextRound);
        }
    }

    // ---- working ----------------------------------------------------------------------------------------------

    private void step() {
        if (handle == null && inside < 3 && dice.percent(25)) {
            waitingFor = 1;
            ask(dice.pick(List.of(Way.LOCK, Way.LOCK_LEASED, Way.TRY, Way.TRY_LEASED, Way.PARK)));
        } else if (dice.percent(20)) {
            extend();
        } else {
            leave();
        }
    }

    private void extend() {
        Lease lease = handle != null ? handle : Inside.holdOf(process.engine, name, owner);
        if (lease == null) {
            leave();
            return;
        }
        Duration by = Duration.ofMillis(dice.spread(10, 5_000));
        world.trace.say(process.id, "caller %d extends %s by %s", owner, name, by);
        Inside.extend(lease, by)
                .whenComplete((nothing, failure) -> process.execute(() -> {
                    if (failure == null) {
                        world.happened(What.EXTENDED);
                    }
                    later(workTime(), this::leave);
                }));
    }

    private void leave() {
        Lease lease = handle != null ? handle : Inside.holdOf(process.engine, name, owner);
        boolean good = lease != null && Inside.believes(lease, process.nanos());
        boolean last = handle != null || inside == 1;
        String claim = lease == null ? "" : Inside.claimId(lease);
        world.trace.say(process.id, "caller %d leaves %s%s", owner, name, good ? "" : ", which it has lost");
        long startedAt = world.now();
        CompletableFuture<Void> left = handle != null
                ? handle.closeAsync()
                : process.engine.lock(name, options).unlockAsync(owner);
        left.whenComplete((nothing, failure) -> {
            world.oracle.left(this, process, claim, good, startedAt, failure);
            inside--;
            if (last) {
                later(thinkTime(), this::nextRound);
            } else {
                later(workTime(), this::leave);
            }
        });
    }

    private long workTime() {
        return dice.percent(80) ? dice.spread(10 * MICRO, 20 * MILLI) : dice.spread(MILLI, LONGEST_WORK);
    }

    private long thinkTime() {
        return dice.percent(50) ? dice.spread(MICRO, MILLI) : dice.spread(MILLI, SECOND);
    }

    @Override
    public String toString() {
        return "caller " + owner + " of " + process + " (" + name + ", inside " + inside + ")";
    }
}
