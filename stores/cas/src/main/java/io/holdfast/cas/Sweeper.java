package io.holdfast.cas;

import io.holdfast.spi.LatchStore;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.support.LineState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is not used any more: the claims of dead processes on locks that no client wants, lines in which nothing is left, semaphores
 * that were not used for a day, latches after a week, the beats and notifications of clients that are gone. Of all the store objects on
 * one register one does it; it writes its stamp in each round, and when that stays the same for long, another one takes over.
 *
 * <p>All of it is told by sightings: what was the same for so long, by the clock of the process that sweeps. Each removal expects the
 * entry that was seen.
 */
final class Sweeper {

    static final Duration EVERY = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);

    /** How long a line stays in which nothing is left: longer than any write of a client may be late. */
    private static final long EMPTY_NANOS = EVERY.toNanos();

    private static final long ABSENT_SWEEPER_NANOS = 3 * EVERY.toNanos();
    private static final int PAGE = 500;
    private static final int REMEMBERED = 100_000;

    private record Seen(Entry entry, long at, long round) {}

    private final Kernel kernel;
    private final Beats beats;
    private final Floors floors;
    private final Function<Resource, Cell> cells;
    private final Map<String, Seen> seen = new HashMap<>();
    private @Nullable Entry own;
    private long round;
    private volatile boolean closed;

    Sweeper(Kernel kernel, Beats beats, Floors floors, Function<Resource, Cell> cells) {
        this.kernel = kernel;
        this.beats = beats;
        this.floors = floors;
        this.cells = cells;
    }

    /** Goes round from now on, for the first time after a while. */
    void start() {
        long pause = EVERY.toNanos() / 2 + kernel.random().nextLong(EVERY.toNanos());
        kernel.pauses().after(pause, () -> {
            if (!closed) {
                isTurn().thenCompose(turn -> turn ? sweep() : CompletableFuture.completedFuture(null))
                        .whenComplete((unused, failure) -> {
                            if (failure != null) {
                                log.debug("A round was not finished", failure);
                            }
                            start();
                        });
            }
        });
    }

    void close() {
        closed = true;
    }

    // ---- which one ---------------------------------------------------------------------------------------------

    private CompletionStage<Boolean> isTurn() {
        return kernel.register().get(Keys.SWEEPER).thenCompose(found -> {
            Entry entry = found.orElse(null);
            if (entry != null && !entry.equals(own) && age(Keys.SWEEPER, entry) < ABSENT_SWEEPER_NANOS) {
                return CompletableFuture.completedFuture(false);
            }
            byte[] value = new Bytes.Writer(kernel.stamps().next()).bytes();
            return kernel.register().cas(Keys.SWEEPER, entry, value, List.of()).thenApply(result -> {
                own = result.applied() ? result.entry() : null;
                return result.applied();
            });
        });
    }

    /** For how long this process has seen the key like this. */
    private synchronized long age(String key, Entry entry) {
        long now = kernel.now();
        Seen last = seen.get(key);
        if (last != null && last.entry.equals(entry)) {
            seen.put(key, new Seen(entry, last.at, round));
            return now - last.at;
        }
        if (last != null || seen.size() < REMEMBERED) {
            seen.put(key, new Seen(entry, now, round));
        }
        return 0;
    }

    // ---- a round -----------------------------------------------------------------------------------------------

    CompletionStage<Void> sweep() {
        return beats.look()
                .thenCompose(unused -> each(Keys.prefix(ResourceType.LOCK), line(ResourceType.LOCK)))
                .thenCompose(unused -> each(Keys.prefix(ResourceType.SEMAPHORE), line(ResourceType.SEMAPHORE)))
                .thenCompose(unused ->
                        each(Keys.prefix(ResourceType.LATCH), (key, entry) -> old(key, entry, LatchStore.KEPT)))
                .thenCompose(unused -> each(Keys.BEATS, (key, entry) -> old(key, entry, EVERY)))
                .thenCompose(unused -> each(Keys.NOTIFICATIONS, (key, entry) -> old(key, entry, EVERY)))
                .thenRun(this::endRound);
    }

    private synchronized void endRound() {
        // What was not seen in this round is gone.
        seen.entrySet()
                .removeIf(one -> one.getValue().round != round && !one.getKey().equals(Keys.SWEEPER));
        round++;
    }

    private CompletionStage<Void> each(String prefix, BiFunction<String, Entry, CompletionStage<?>> step) {
        return page(prefix, "", step);
    }

    private CompletionStage<Void> page(
            String prefix, String after, BiFunction<String, Entry, CompletionStage<?>> step) {
        if (closed) {
            return CompletableFuture.completedFuture(null);
        }
        return kernel.register().list(prefix, after, PAGE).thenCompose(page -> {
            CompletionStage<?> done = CompletableFuture.completedFuture(null);
            for (Register.Listed one : page) {
                done = done.thenCompose(unused -> attempt(one.key(), one.entry(), step));
            }
            return done.thenCompose(unused -> page.size() < PAGE
                    ? CompletableFuture.completedFuture(null)
                    : page(prefix, page.get(page.size() - 1).key(), step));
        });
    }

    /** One that can't be swept does not keep the others from it. */
    private static CompletionStage<?> attempt(
            String key, Entry entry, BiFunction<String, Entry, CompletionStage<?>> step) {
        try {
            return step.apply(key, entry).exceptionally(failure -> {
                log.debug("Could not sweep {}", key, failure);
                return null;
            });
        } catch (RuntimeException e) {
            log.debug("Could not sweep {}", key, e);
            return CompletableFuture.completedFuture(null);
        }
    }

    private CompletionStage<?> old(String key, Entry entry, Duration kept) {
        return age(key, entry) < kept.toNanos()
                ? CompletableFuture.completedFuture(null)
                : kernel.register().delete(key, entry);
    }

    private BiFunction<String, Entry, CompletionStage<?>> line(ResourceType type) {
        return (key, entry) -> {
            String name = Keys.name(type, key);
            Cell cell = cells.apply(new Resource(type, name));
            LineState live = cell.look(entry);
            StoredLine stored = StoredLine.decode(key, name, entry.value(), kernel.base(entry.version()));
            if (!live.holders().isEmpty() || !live.queue().isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            if (!stored.holders().isEmpty() || !stored.queue().isEmpty()) {
                return cell.run(Command.tidy());
            }
            return live.isEmpty() && age(key, entry) >= EMPTY_NANOS
                    ? remove(key, entry, stored)
                    : CompletableFuture.completedFuture(null);
        };
    }

    private CompletionStage<?> remove(String key, Entry entry, StoredLine stored) {
        long last = Math.max(stored.lastToken(), stored.lastTicket());
        if (!kernel.register().hasRevisions()) {
            return floors.raise(last).thenCompose(unused -> kernel.register().delete(key, entry));
        }
        if (last < kernel.base(entry.version() + 1) + Floors.of(floors.known())) {
            return kernel.register().delete(key, entry);
        }
        // Its last grant reserved more tokens than a revision has. Written again, it may have a revision that is beyond
        // them.
        return kernel.register().cas(key, entry, stored.encode(kernel.stamps().next()), List.of());
    }
}
