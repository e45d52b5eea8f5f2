package io.holdfast.internal.memory;

import io.holdfast.LockState;
import io.holdfast.StoreRefusedException;
import io.holdfast.internal.Ticker;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one in-memory store, a {@link Line} for each name. Its methods are atomic and take no time; the simulation
 * runs on it as well, with its own clock. What is to be told when one has run is in its answer.
 */
public final class MemoryLocks {

    /**
     * What came of a command that may have made room.
     *
     * @param held whether what it ended was held
     * @param free whether nobody holds the name now
     * @param called whose turn it is now, in order
     * @param given who was granted it instead
     */
    public record Freed(
            boolean held,
            boolean free,
            List<Claim> called,
            @Nullable Given given) {

        static final Freed NOTHING = new Freed(false, false, List.of(), null);
    }

    /**
     * A claim that was granted while it waited.
     *
     * @param place the number of the place that it had
     */
    public record Given(Claim claim, long place, Outcome.Granted grant) {}

    private record Key(Kind kind, String name) {}

    private final Ticker ticker;
    private final LongSupplier placeNumbers;
    private final Map<Key, Line> lines = new LinkedHashMap<>();

    /** One counter for all names, so that a name that was forgotten can't begin again. */
    private long lastToken;

    public MemoryLocks(Ticker ticker) {
        this(ticker, new AtomicLong()::incrementAndGet);
    }

    /** @param placeNumbers gives each place in a queue another number */
    public MemoryLocks(Ticker ticker, LongSupplier placeNumbers) {
        this.ticker = ticker;
        this.placeNumbers = placeNumbers;
    }

    /** Those that are asked to yield are added to {@code called}. */
    public synchronized Outcome claim(Claim claim, List<Claim> called) {
        Line line = line(claim.kind(), claim.name(), claim.capacity());
        if (line.isImpossible(claim) && !line.has(claim)) {
            line.remove(claim, lastToken + 1, now());
            throw new StoreRefusedException(
                    "semaphore '" + claim.name() + "' has " + line.capacity() + " permits, so " + claim.permits()
                            + " can't be had",
                    false);
        }
        Outcome outcome = line.claim(claim, lastToken + 1, now());
        if (outcome instanceof Outcome.Granted granted) {
            lastToken = Math.max(lastToken, granted.token() + claim.tokens() - 1);
        } else {
            called.addAll(line.yielding());
        }
        return outcome;
    }

    /** How those stand that are still there, and whom it called. */
    public synchronized Map<String, Standing> renew(List<Claim> claims, List<Claim> called) {
        Map<String, Standing> standings = new LinkedHashMap<>();
        for (Claim claim : claims) {
            Line line = live(claim.kind(), claim.name());
            Standing standing = line == null ? null : line.renew(claim, now(), called);
            if (standing != null) {
                standings.put(claim.id(), standing);
            }
        }
        return standings;
    }

    public synchronized Freed release(Claim claim) {
        Line line = live(claim.kind(), claim.name());
        Freed freed = line == null ? Freed.NOTHING : line.remove(claim, lastToken + 1, now());
        Given given = freed.given();
        if (given != null) {
            lastToken = given.grant().token() + given.claim().tokens() - 1;
        }
        live(claim.kind(), claim.name());
        return freed;
    }

    public synchronized Freed forceRelease(Kind kind, String name) {
        Line line = live(kind, name);
        Freed freed = line == null ? Freed.NOTHING : line.removeHolders();
        live(kind, name);
        return freed;
    }

    /** The answer says how many there are then; those whose turn it is are added to {@code called}. */
    public synchronized int addPermits(String name, String id, int by, int capacity, List<Claim> called) {
        Line line = line(Kind.SEMAPHORE, name, capacity);
        line.addPermits(id, by, now());
        called.addAll(line.next());
        return line.capacity();
    }

    public synchronized LockState inspect(Kind kind, String name) {
        Line line = live(kind, name);
        return line == null
                ? new LockState(name, kind == Kind.SEMAPHORE ? -1 : 0, List.of(), List.of())
                : new LockState(
                        name, kind == Kind.SEMAPHORE ? line.capacity() : 0, line.holders(now()), line.waiters(now()));
    }

    public synchronized List<LockState> list(Kind kind, String prefix, int limit) {
        List<LockState> found = new ArrayList<>();
        for (Key key : List.copyOf(lines.keySet())) {
            if (key.kind == kind && key.name.startsWith(prefix) && found.size() < limit) {
                LockState state = inspect(kind, key.name);
                if (state.isLocked()) {
                    found.add(state);
                }
            }
        }
        return found;
    }

    private Line line(Kind kind, String name, int capacity) {
        Line live = live(kind, name);
        if (live != null) {
            return live;
        }
        // Semaphores are remembered for a day: the oldest go when new ones come.
        Iterator<Map.Entry<Key, Line>> oldest = lines.entrySet().iterator();
        for (int i = 0; i < 2 && oldest.hasNext(); i++) {
            Line old = oldest.next().getValue();
            old.purge(now());
            if (old.isForgotten(now())) {
                oldest.remove();
            }
        }
        Line made = new Line(kind, placeNumbers, capacity, now());
        lines.put(new Key(kind, name), made);
        return made;
    }

    /** The line of a name, if it has anything in it; what has ended is out of it. */
    private @Nullable Line live(Kind kind, String name) {
        Key key = new Key(kind, name);
        Line line = lines.get(key);
        if (line != null) {
            line.purge(now());
            if (line.isForgotten(now())) {
                lines.remove(key);
                return null;
            }
        }
        return line;
    }

    private long now() {
        return ticker.nanos();
    }
}
