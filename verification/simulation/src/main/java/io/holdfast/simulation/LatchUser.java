package io.holdfast.simulation;

import static io.holdfast.simulation.Time.MICRO;
import static io.holdfast.simulation.Time.MILLI;
import static io.holdfast.simulation.Time.SECOND;

import io.holdfast.ClientClosedException;
import io.holdfast.DistributedLatch;
import io.holdfast.HoldfastException;
import io.holdfast.StoreRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.lock.BlockingCalls;
import io.holdfast.simulation.Tally.What;
import io.holdfast.simulation.Violation.Check;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in a process who sets a latch, counts it down, waits for it and deletes it, in no particular order, and says if
 * what it is told is not so.
 */
final class LatchUser {

    static final String NAME = "latch";

    /** How much longer than its wait it stays for the first answer, by a clock that may be slow. */
    private static final long FIRST_ANSWER = 102 * MILLI;

    private static final long FOREVER = Long.MAX_VALUE;

    private enum Doing {
        SETTING,
        COUNTING,
        WAITING,
        DELETING
    }

    private final SimProcess process;
    private final World world;
    private final Dice dice;
    private final Gates gates;
    private final long bound;
    private int roundsLeft;
    private boolean finished;

    private @Nullable Doing doing;
    private @Nullable CompletableFuture<?> future;
    private String countId = "";
    private long wait;
    private long startedAt;
    private long startedAtLocal;

    LatchUser(SimProcess process, long bound) {
        this.process = process;
        this.world = process.world;
        this.dice = world.dice;
        this.gates = world.server.gates();
        this.bound = bound;
        this.roundsLeft = 2 * world.scenario.rounds;
    }

    boolean isFinished() {
        return finished || process.isCrashed();
    }

    void begin() {
        process.schedule(this::nextRound, dice.spread(10 * MICRO, world.scenario.span / 2));
        world.at(world.scenario.span, this::quit);
    }

    private void nextRound() {
        if (roundsLeft-- == 0 || world.isCalm()) {
            finished = true;
            return;
        }
        DistributedLatch latch = process.locks.latch(NAME);
        startedAt = world.now();
        startedAtLocal = process.nanos();
        int chance = dice.between(0, 99);
        if (chance < 20) {
            begins(Doing.SETTING, BlockingCalls.setLatch(process.engine, NAME, dice.between(1, 3)));
        } else if (chance < 55) {
            boolean named = dice.percent(30);
            countId = named ? "job " + dice.between(1, 5) : "";
            process.latchCounts.started += named ? 0 : 1;
            begins(Doing.COUNTING, named ? latch.countDownAsync(countId) : latch.countDownAsync());
        } else if (chance < 92) {
            wait = dice.percent(40) ? FOREVER : dice.percent(20) ? 0 : dice.spread(MILLI, 3 * SECOND);
            begins(Doing.WAITING, wait == FOREVER ? latch.awaitAsync() : latch.awaitAsync(Duration.ofNanos(wait)));
            if (dice.percent(15)) {
                process.schedule(this::quit, dice.spread(10 * MICRO, SECOND));
            }
        } else {
            begins(Doing.DELETING, BlockingCalls.deleteLatch(process.engine, NAME));
        }
    }

    private void begins(Doing what, CompletableFuture<?> asked) {
        world.trace.say(process.id, "latch: %s", what);
        doing = what;
        future = asked;
        asked.whenComplete((value, failure) -> ended(what, value, failure));
    }

    /** The caller leaves. */
    private void quit() {
        if (doing == Doing.WAITING && future != null && !process.isCrashed()) {
            future.cancel(false);
        }
    }

    // ---- what it is told --------------------------------------------------------------------------------------

    private void ended(Doing what, @Nullable Object value, @Nullable Throwable wrapped) {
        Throwable failure = wrapped instanceof CompletionException ? wrapped.getCause() : wrapped;
        world.trace.say(process.id, "latch: %s has ended: %s", what, String.valueOf(failure == null ? value : failure));
        doing = null;
        if (failure != null) {
            failed(what, failure);
        } else {
            switch (what) {
                case SETTING -> wasSet(value);
                case COUNTING -> wasCounted();
                case WAITING -> wasAwaited(value);
                case DELETING -> wasDeleted(value);
            }
        }
        if (failure instanceof ClientClosedException) {
            finished = true;
        } else {
            process.schedule(this::nextRound, dice.spread(10 * MICRO, SECOND / 2));
        }
    }

    private void wasSet(@Nullable Object value) {
        process.latchCounts.set += Boolean.TRUE.equals(value) ? 1 : 0;
        honest(process.latchCounts.set <= gates.setBy(process), "has set the latch more often than the store knows");
    }

    /** Each counting has run, and none under two names. */
    private void wasCounted() {
        world.happened(What.LATCH_COUNTED);
        process.latchCounts.done += countId.isEmpty() ? 1 : 0;
        long ran = gates.countedBy(process);
        honest(countId.isEmpty() || gates.hasCounted(countId), "has counted, and the store does not know of it");
        honest(process.latchCounts.done <= ran, "has counted more often than the store knows");
        honest(ran <= process.latchCounts.started, "has counted less often than the store knows");
    }

    private void wasAwaited(@Nullable Object value) {
        if (wait == FOREVER || Boolean.TRUE.equals(value)) {
            world.happened(What.LATCH_OPEN);
            honest(gates.wasOpenSince(startedAt), "was told that the latch is open");
        } else {
            honest(gates.openSince() >= startedAt, "was told that the latch is not open, and it was all the time");
            honest(process.nanos() - startedAtLocal >= wait, "was sent away before its time");
        }
    }

    private void wasDeleted(@Nullable Object value) {
        world.happened(What.LATCH_DELETED);
        honest(
                Boolean.TRUE.equals(value) ? gates.wasGoneSince(startedAt) : gates.wasAbsentSince(startedAt),
                "was told of deleting: " + value);
    }

    private void failed(Doing what, Throwable failure) {
        if (failure instanceof ClientClosedException) {
            honest(process.closing() != null, "was told that its client is closed");
        } else if (failure instanceof StoreUnavailableException) {
            long grace = 2 * world.scenario.timeout.toNanos() + SECOND;
            honest(process.wellSince() >= startedAt - grace, "was told " + failure + ", and all was well");
        } else if (failure instanceof HoldfastException && !(failure instanceof StoreRefusedException)) {
            world.happened(What.LATCH_GONE);
            honest(what == Doing.WAITING && gates.wasGoneSince(startedAt), "was told " + failure);
        } else {
            honest(
                    failure instanceof CancellationException
                            || failure instanceof StoreRefusedException
                            || failure instanceof IllegalStateException, // the store threw it
                    "was told " + failure);
        }
    }

    private void honest(boolean good, String what) {
        if (!good) {
            world.oracle.violated(Check.HONEST, this + " " + what);
        }
    }

    // ---- that it goes on --------------------------------------------------------------------------------------

    void look() {
        if (doing == null || process.isCrashed()) {
            return;
        }
        long well = process.wellSince();
        long limit = doing == Doing.WAITING ? Math.max(gates.openSince(), startedAt) : startedAt;
        if (limit != FOREVER && world.now() - Math.max(limit, well) > 2 * bound) {
            world.oracle.violated(Check.NO_HANG, this + (doing == Doing.WAITING ? ", and it is open" : ""));
        }
        long waited = Math.min(world.now() - startedAt, world.now() - process.runningSince());
        if (doing == Doing.WAITING
                && wait > 0
                && wait != FOREVER
                && world.now() - startedAt > wait + wait / 90 + FIRST_ANSWER + bound / 10
                && waited > FIRST_ANSWER + bound / 10) {
            world.oracle.violated(Check.NO_HANG, this + " wanted to wait no longer than " + Time.show(wait));
        }
    }

    @Override
    public String toString() {
        return "a user of the latch in " + process + " (" + doing + " since " + Time.show(startedAt) + ")";
    }
}
