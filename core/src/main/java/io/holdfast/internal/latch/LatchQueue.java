package io.holdfast.internal.latch;

import io.holdfast.HoldfastException;
import io.holdfast.StoreCommandEvent.Command;
import io.holdfast.StoreUnavailableException;
import io.holdfast.internal.Tuning;
import io.holdfast.internal.store.Look;
import io.holdfast.internal.store.RetryingCommand;
import io.holdfast.internal.store.StoreContext;
import io.holdfast.internal.time.Strand;
import io.holdfast.internal.time.Timer;
import io.holdfast.spi.LatchState;
import io.holdfast.spi.Messages;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this client that wait for one latch, and the one look at the store that serves all of them.
 *
 * <p><b>How it works.</b> Everything happens on a {@link Strand}. A look is sent when a caller comes, when the store says
 * that something has changed, and a second after the last one; there is never more than one. Looks are numbered, and
 * a wait heeds only looks that were sent after it came: an earlier one may have run before what its caller knows of.
 */
final class LatchQueue {

    private final StoreContext engine;
    private final Latches latches;
    private final String name;
    private final String label;
    private final Strand strand = new Strand();
    private final Set<LatchWait> waits = new LinkedHashSet<>();
    private final Timer recheck = new Timer(() -> strand.execute(this::lookUnlessLooking));

    private @Nullable RetryingCommand<LatchState> looking;
    private long looks;

    /** The latch may have changed since the last look was sent. */
    private boolean changed;

    /** Since when the store has not answered; of no meaning once it has. */
    private long failingSince;

    private boolean failing;
    private boolean retired;

    LatchQueue(StoreContext engine, Latches latches, String name) {
        this.engine = engine;
        this.latches = latches;
        this.name = name;
        this.label = Messages.label(ResourceType.LATCH, name);
    }

    String name() {
        return name;
    }

    // ---- the edge: called from anywhere -----------------------------------------------------------------------

    void enqueue(LatchWait wait) {
        strand.execute(() -> arrived(wait));
    }

    /** The wait has been decided by its caller. */
    void withdraw(LatchWait wait) {
        strand.execute(() -> {
            remove(wait);
            settle();
        });
    }

    /** The latch may have been set, opened or deleted. */
    void changed() {
        strand.execute(() -> {
            changed = true;
            lookUnlessLooking();
        });
    }

    /** Shows what is waited for here. */
    void show(Look look) {
        look.asks();
        strand.execute(() -> {
            try {
                int position = 0;
                for (LatchWait wait : waits) {
                    look.add(wait.toLocal(look, position++));
                }
            } finally {
                look.answered();
            }
        });
    }

    /** The client is closing. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        strand.execute(() -> {
            fail(wait -> true, engine.closedException());
            settle();
            closed.complete(null);
        });
        return closed;
    }

    // ---- coming and going -------------------------------------------------------------------------------------

    private void arrived(LatchWait wait) {
        if (retired) {
            latches.enqueue(wait); // this queue was cleared away in between; the next one serves
            return;
        }
        if (engine.isClosed()) {
            wait.result.completeExceptionally(engine.closedException());
        }
        if (wait.result.isDone()) {
            settle();
            return;
        }
        wait.firstLook = looks + 1;
        waits.add(wait);
        if (wait.timed()) {
            wait.timeout = new Timer(() -> strand.execute(() -> timedOut(wait)));
            engine.timers().arm(wait.timeout, wait.askedAt + wait.waitNanos);
        }
        lookUnlessLooking();
    }

    private void timedOut(LatchWait wait) {
        long now = engine.now();
        if (wait.answered) {
            wait.result.complete(false);
        } else if (looking != null && wait.timeout != null && now - looking.unansweredFrom() < 0) {
            // A wait that is shorter than the way to the store hears the first answer, if it comes soon.
            wait.overdue = true;
            engine.timers().arm(wait.timeout, looking.unansweredFrom());
            return;
        } else {
            wait.result.completeExceptionally(new StoreUnavailableException(
                    label + ": " + engine.store().description() + " did not answer within "
                            + Duration.ofNanos(now - wait.askedAt).toMillis() + " ms"));
        }
        remove(wait);
        settle();
    }

    // ---- looking ----------------------------------------------------------------------------------------------

    private void lookUnlessLooking() {
        if (looking == null && !waits.isEmpty()) {
            look();
        }
    }

    private void look() {
        if (!failing) {
            failingSince = engine.now();
            failing = true;
        }
        changed = false;
        engine.timers().cancel(recheck);
        long n = ++looks;
        RetryingCommand<LatchState> look = new RetryingCommand<>(
                engine,
                Command.LATCH,
                name,
                label,
                () -> engine.capabilities().latches(name).look(name),
                earliestEnd());
        looking = look;
        look.start()
                .answer()
                .whenComplete((state, failure) -> strand.execute(() -> {
                    if (looking == look) {
                        looking = null;
                        answered(n, state, failure);
                    }
                }));
    }

    private void answered(long n, @Nullable LatchState state, Throwable failure) {
        if (state != null) {
            failing = false;
            for (LatchWait wait : List.copyOf(waits)) {
                if (wait.firstLook <= n) {
                    decide(wait, state);
                }
            }
        } else if (failure instanceof HoldfastException known && known.retryable()) {
            fail(wait -> end(wait) - engine.now() <= 0, failure);
        } else {
            fail(wait -> true, failure);
        }
        lookAgain();
    }

    private void decide(LatchWait wait, LatchState state) {
        wait.answered = true;
        String before = wait.seen;
        if (before != null && !before.equals(state.id())) {
            wait.result.completeExceptionally(goneException(state));
        } else if (state.isOpen()) {
            wait.result.complete(true);
        } else if (wait.nonBlocking()) {
            wait.result.complete(false);
        } else {
            wait.seen = state.exists() ? state.id() : null;
            return;
        }
        remove(wait);
    }

    private void lookAgain() {
        settle();
        if (retired) {
            return;
        }
        if (changed || failing || waits.stream().anyMatch(wait -> wait.firstLook > looks)) {
            look();
        } else {
            engine.timers().arm(recheck, engine.now() + Tuning.RECHECK_NANOS);
            engine.watches().use(Resource.latch(name));
        }
    }

    /** When the first of them gives up on a store that does not answer. */
    private long earliestEnd() {
        long now = engine.now();
        long earliest = now + engine.timeoutNanos();
        for (LatchWait wait : waits) {
            earliest = now + Math.min(earliest - now, end(wait) - now);
        }
        return earliest;
    }

    private long end(LatchWait wait) {
        return (wait.askedAt - failingSince > 0 ? wait.askedAt : failingSince) + engine.timeoutNanos();
    }

    private HoldfastException goneException(LatchState now) {
        String what = now.exists()
                ? "was deleted and set anew while this waited for it; await() again to wait for the new one"
                : "was deleted while this waited for it, or " + engine.store().description()
                        + " lost it; set it anew with trySetCount() and await() again";
        return new HoldfastException(label + " " + what, false);
    }

    // ---- cleaning up ------------------------------------------------------------------------------------------

    private void fail(Predicate<LatchWait> which, Throwable failure) {
        for (LatchWait wait : List.copyOf(waits)) {
            if (which.test(wait)) {
                wait.result.completeExceptionally(failure);
                remove(wait);
            }
        }
    }

    private void remove(LatchWait wait) {
        waits.remove(wait);
        if (wait.timeout != null) {
            engine.timers().cancel(wait.timeout);
        }
    }

    /** A latch without waiters leaves nothing behind. */
    private void settle() {
        if (!waits.isEmpty() || retired) {
            return;
        }
        retired = true;
        engine.timers().cancel(recheck);
        RetryingCommand<LatchState> look = looking;
        if (look != null) {
            looking = null;
            look.stop(new CancellationException());
        }
        latches.retire(this);
    }
}
