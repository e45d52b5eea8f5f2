package io.holdfast.cas;

import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.support.ClaimLine;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import io.holdfast.spi.support.Notification;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of this client for one name, and what it knows of the name.
 *
 * <p><b>How it works.</b> One write is under way at a time; commands that come meanwhile are gathered and go together in the next one. They
 * are applied to the value as it was last seen. If that leaves something to write, it is written on the condition that the value is
 * still that one: so a guess that is right costs one round trip, and a wrong one brings the value to try on next. If there is nothing
 * to write, the value has to have been read since the commands came.
 *
 * <p><b>A lost answer.</b> It is read back, and the commands are applied again to what is there: the line says whether a claim is in it
 * already, so what was written is found, and what was not is written now. If the value is still the one that the lost write expected, it
 * may come later. From then on every command that ends a claim writes, though there is nothing to write, so that the late one finds
 * another value. Where that one expects the key to be absent, the value that is written stays, {@linkplain StoredLine#fenced fenced}.
 */
final class Cell {

    private static final Logger log = LoggerFactory.getLogger(Cell.class);

    private static final int MOST_AT_ONCE = 64;

    private final Kernel kernel;
    private final Beats beats;
    private final ClaimListeners listeners;
    private final Floors floors;
    private final String key;
    private final String name;
    private final Deque<Command<?>> waiting = new ArrayDeque<>();
    private final Sightings sightings = new Sightings();
    private boolean busy;
    private boolean used = true;

    // A batch is being begun; one is under way; it has ended while it was being begun.
    private boolean beginning;
    private boolean under;
    private boolean ended;

    // What follows is of the batch under way, of which there is one at a time.
    private @Nullable Entry guess;

    /** What writes expected that may still come: an entry, or that the key is absent. */
    private @Nullable Entry inDoubt;

    private boolean creationInDoubt;

    Cell(Kernel kernel, Beats beats, ClaimListeners listeners, Floors floors, ResourceType type, String key) {
        this.kernel = kernel;
        this.beats = beats;
        this.listeners = listeners;
        this.floors = floors;
        this.key = key;
        this.name = Keys.name(type, key);
    }

    /** What came of applying a batch to one entry. */
    private record Attempt(
            StoredLine after,
            boolean writes,
            boolean deletes,
            List<Function<Long, Runnable>> answers,
            List<Notification> notifications) {}

    <T> CompletableFuture<T> run(Command<T> command) {
        synchronized (this) {
            used = true;
            waiting.add(command);
            if (busy) {
                return command.answer();
            }
            busy = true;
        }
        next();
        return command.answer();
    }

    /** Whether it was not used since this was last asked, and knows nothing that must not be forgotten. */
    synchronized boolean isIdle() {
        boolean idle = !used && !busy && waiting.isEmpty() && inDoubt == null && !creationInDoubt;
        used = false;
        return idle;
    }

    /** Begins the next batch. A register that answers at once comes back here from inside it: that only goes round once more. */
    private void next() {
        synchronized (this) {
            ended = under;
            if (beginning) {
                return;
            }
            beginning = true;
        }
        List<Command<?>> batch = take();
        while (!batch.isEmpty()) {
            new Batch(batch).attempt(false);
            batch = take();
        }
    }

    /** The commands of the next batch; none if there are none, or another batch is still under way. */
    private synchronized List<Command<?>> take() {
        List<Command<?>> batch = new ArrayList<>();
        if (under && !ended) {
            beginning = false;
            return batch;
        }
        ended = false;
        for (int i = 0; i < MOST_AT_ONCE && !waiting.isEmpty(); i++) {
            batch.add(waiting.remove());
        }
        under = !batch.isEmpty();
        if (!under) {
            beginning = false;
            busy = false;
        }
        return batch;
    }

    /** Reads the line, without ended claims, for people to look at. */
    LineState look(Entry entry) {
        StoredLine stored = StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()));
        Line line;
        synchronized (this) {
            sightings.see(entry, stored, kernel.now());
            line = new Line(kernel, beats, sightings, stored, entry);
            return line.begin().update().state();
        }
    }

    /** Whether the beats should be looked at before {@link #look}. */
    synchronized boolean isLookDue(Entry entry) {
        StoredLine stored = StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()));
        sightings.see(entry, stored, kernel.now());
        return new Line(kernel, beats, sightings, stored, entry).isLookDue();
    }

    private final class Batch {

        private final List<Command<?>> commands;
        private final long since = kernel.now();
        private int lost;
        private boolean looked;
        private long floor;

        Batch(List<Command<?>> commands) {
            this.commands = commands;
        }

        private void attempt(boolean fresh) {
            try {
                tryAttempt(fresh);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        private void tryAttempt(boolean fresh) {
            Entry entry = guess;
            StoredLine stored = StoredLine.EMPTY;
            if (entry != null) {
                stored = StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()));
                synchronized (Cell.this) {
                    sightings.see(entry, stored, kernel.now());
                }
            } else if (!kernel.register().hasRevisions()) {
                stored = StoredLine.NOT_BEGUN;
            }
            if (!stored.begun()) {
                begin(entry, stored, fresh);
                return;
            }
            Line line;
            Attempt attempt;
            synchronized (Cell.this) {
                line = new Line(kernel, beats, sightings, stored, entry);
                if (!looked && commands.stream().anyMatch(Command::waits) && line.isLookDue()) {
                    looked = true;
                    attempt = null;
                } else {
                    attempt = apply(line, stored, entry);
                }
            }
            if (attempt == null) {
                beats.look().whenComplete((unused, failure) -> attempt(false));
            } else if (attempt.writes) {
                write(entry, attempt);
            } else if (fresh) {
                done(attempt, 0);
            } else {
                read(0);
            }
        }

        private Attempt apply(Line line, StoredLine stored, @Nullable Entry entry) {
            ClaimLine claims = line.begin();
            List<Function<Long, Runnable>> answers = new ArrayList<>();
            commands.forEach(command -> answers.add(command.apply(claims)));
            LineUpdate update = claims.update();
            line.noteEnded(update);
            StoredLine after = line.after(update);
            boolean ends = commands.stream().anyMatch(Command::ends);
            boolean fences = ends && (creationInDoubt || (inDoubt != null && inDoubt.equals(entry)));
            if (creationInDoubt) {
                after = after.asFenced();
            }
            long least = commands.stream().mapToLong(Command::least).max().orElse(0);
            boolean raises = entry != null && least > after.lastToken();
            if (raises) {
                after = after.raisedTo(least);
            }
            boolean tidies = commands.stream().anyMatch(Command::tidies) && !after.equals(stored);
            boolean nothing = (!tidies && line.isOnlyTidied(after)) || (entry == null && after.isEmpty());
            boolean writes = fences || raises || !nothing;
            return new Attempt(
                    after,
                    writes,
                    line.mayDelete(after, Floors.of(floors.known())),
                    answers,
                    notifications(update, entry == null));
        }

        /** The key is absent, or was made without a token to begin with: only what was deleted before it was made counts. */
        private void begin(@Nullable Entry entry, StoredLine stored, boolean fresh) {
            if (entry == null) {
                if (!fresh) {
                    read(0);
                } else if (commands.stream().allMatch(Command::ends) && !creationInDoubt) {
                    done(applyToNothing(), 0);
                } else {
                    StoredLine begun = creationInDoubt ? stored.asFenced() : stored;
                    send(null, begun.encode(kernel.stamps().next()), List.of(), null);
                }
                return;
            }
            floors.read().whenComplete((least, failure) -> {
                if (failure != null) {
                    fail(Kernel.cause(failure));
                    return;
                }
                try {
                    StoredLine begun = stored.begunAt(least);
                    Line line;
                    Attempt attempt;
                    synchronized (Cell.this) {
                        line = new Line(kernel, beats, sightings, begun, entry);
                        attempt = apply(line, begun, entry);
                    }
                    write(entry, attempt);
                } catch (RuntimeException e) {
                    fail(e);
                }
            });
        }

        /** The token of a grant that counts from the revision which the write will get can't be in that write. */
        private static List<Notification> notifications(LineUpdate update, boolean relative) {
            if (!relative) {
                return update.notifications();
            }
            List<Notification> hints = new ArrayList<>();
            update.notifications()
                    .forEach(one -> hints.add(
                            one instanceof Notification.GrantedOnRelease granted
                                    ? new Notification.TurnReached(granted.claim())
                                    : one));
            return hints;
        }

        private Attempt applyToNothing() {
            synchronized (Cell.this) {
                return apply(new Line(kernel, beats, sightings, StoredLine.EMPTY, null), StoredLine.EMPTY, null);
            }
        }

        private void write(@Nullable Entry entry, Attempt attempt) {
            if (attempt.deletes && entry != null) {
                kernel.register()
                        .delete(key, entry)
                        .whenComplete((result, failure) -> written(entry, result, failure, attempt));
            } else if (entry == null) {
                Entry guarded = floors.known();
                floor = Floors.of(guarded);
                byte[] value = attempt.after.encodeRelative(kernel.stamps().next(), floor);
                kernel.register()
                        .create(key, value, Keys.FLOOR, guarded)
                        .whenComplete((result, failure) -> written(null, result, failure, attempt));
            } else {
                byte[] value = attempt.after.encode(kernel.stamps().next());
                send(entry, value, listeners.signals(attempt.notifications), attempt);
            }
        }

        private void send(@Nullable Entry entry, byte[] value, List<Signal> signals, @Nullable Attempt attempt) {
            kernel.register()
                    .cas(key, entry, value, signals)
                    .whenComplete((result, failure) -> written(entry, result, failure, attempt));
        }

        private void written(
                @Nullable Entry expected,
                @Nullable CasResult result,
                @Nullable Throwable failure,
                @Nullable Attempt attempt) {
            try {
                tryWritten(expected, result, failure, attempt);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        private void tryWritten(
                @Nullable Entry expected,
                @Nullable CasResult result,
                @Nullable Throwable failure,
                @Nullable Attempt attempt) {
            if (failure != null || result == null) {
                Throwable cause = failure == null ? new IllegalStateException("no result") : Kernel.cause(failure);
                if (cause instanceof StoreUnavailableException) {
                    doubt(expected);
                    if (attempt != null) {
                        commands.forEach(Command::doubt);
                    }
                    lost++;
                    readBack(cause);
                } else {
                    fail(cause);
                }
                return;
            }
            guess = result.entry();
            settle();
            if (!result.applied()) {
                lost++;
                if (isOver()) {
                    fail(new StoreUnavailableException("other clients were faster " + lost + " times in a row at " + key
                            + " of " + kernel.register().description()));
                } else if (expected == null && guess == null) {
                    floors.read().whenComplete((raised, why) -> attempt(true)); // tokens were raised
                } else {
                    kernel.again(lost, () -> attempt(true));
                }
            } else if (attempt == null) {
                attempt(true);
            } else {
                Entry made = expected == null ? guess : null;
                long base = made == null ? 0 : kernel.base(made.version()) + floor; // as it was encoded
                seen();
                done(attempt, base);
            }
        }

        /** What was just written is seen as well. */
        private void seen() {
            Entry entry = guess;
            if (entry != null) {
                StoredLine stored = StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()));
                synchronized (Cell.this) {
                    sightings.see(entry, stored, kernel.now());
                }
            }
        }

        private boolean isOver() {
            return kernel.now() - since >= kernel.timeoutNanos();
        }

        private void readBack(Throwable cause) {
            if (isOver()) {
                fail(cause);
            } else {
                read(lost);
            }
        }

        private void read(int before) {
            kernel.register().get(key).whenComplete((found, failure) -> {
                if (failure != null) {
                    fail(Kernel.cause(failure));
                    return;
                }
                guess = found.orElse(null);
                try {
                    settle();
                } catch (RuntimeException e) {
                    fail(e);
                    return;
                }
                if (before == 0) {
                    attempt(true);
                } else {
                    kernel.again(before, () -> attempt(true));
                }
            });
        }

        private void doubt(@Nullable Entry expected) {
            synchronized (Cell.this) {
                if (expected == null) {
                    creationInDoubt = true;
                } else {
                    inDoubt = expected;
                }
            }
        }

        /** A write that expects an entry which is not there any more will never be made. */
        private void settle() {
            synchronized (Cell.this) {
                Entry entry = guess;
                if (inDoubt != null && !inDoubt.equals(entry)) {
                    inDoubt = null;
                }
                if (creationInDoubt
                        && entry != null
                        && StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()))
                                .fenced()) {
                    creationInDoubt = false; // while this stays, the key is not absent
                }
            }
        }

        private void done(Attempt attempt, long base) {
            try {
                listeners.deliver(attempt.notifications, attempt.writes);
            } catch (RuntimeException e) {
                log.warn("A listener failed", e); // notifications are hints
            }
            List<Runnable> answers = new ArrayList<>();
            attempt.answers.forEach(answer -> answers.add(answer.apply(base)));
            answers.forEach(Runnable::run);
            next();
        }

        private void fail(Throwable failure) {
            commands.forEach(command -> command.answer().completeExceptionally(failure));
            next();
        }
    }
}
