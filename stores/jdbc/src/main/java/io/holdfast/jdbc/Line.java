package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimRule;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All claims of one name, read from rows that are locked meanwhile: those who hold, and those who wait, in order. It
 * notes what is to be written and who is to be told; {@link Lines} reads and writes it.
 */
final class Line {

    /** How long a semaphore that nobody uses keeps its number of permits. */
    static final Duration KEPT = Duration.ofDays(1);

    private static final int UNKNOWN = -1;

    final Key key;
    final List<Entry> held = new ArrayList<>();
    final List<Entry> queue = new ArrayList<>();
    final List<Entry> removed = new ArrayList<>();

    /** Whose turn it has become, and who is asked to let go; to be told. */
    final Set<Entry> called = new LinkedHashSet<>();

    long now;
    long lastToken;
    int capacity = UNKNOWN;
    long changes;
    long usedAt;
    int others;

    /** Whether the database has a row for it. */
    boolean exists;

    boolean changed;

    /** Whether it has become free, so that those who watch are to be told. */
    boolean freed;

    Line(Key key) {
        this.key = key;
    }

    /** Puts what was read in order, and ends what has run out. */
    void begin(long at) {
        now = at;
        held.sort(Comparator.comparingLong(entry -> entry.token));
        queue.sort(Comparator.comparingLong(entry -> entry.place));
        purge(held);
        purge(queue);
        if (isSemaphore() && held.isEmpty() && queue.isEmpty() && usedAt + Micros.of(KEPT) <= now) {
            capacity = UNKNOWN;
        }
    }

    private void purge(List<Entry> entries) {
        for (Entry entry : List.copyOf(entries)) {
            if (entry.endsAt <= now) {
                remove(entries, entry);
            }
        }
    }

    private boolean isSemaphore() {
        return key.kind() == Key.SEMAPHORE;
    }

    /** Whether anything is known of the name that those who look should see. */
    boolean isKnown() {
        return capacity != UNKNOWN || !held.isEmpty() || !queue.isEmpty();
    }

    /** Notes how many permits a semaphore has, if that is not known yet. */
    void know(int permits) {
        if (isSemaphore() && capacity == UNKNOWN) {
            capacity = permits;
            use();
        }
    }

    boolean holds(String id) {
        return find(held, id) != null;
    }

    /** Whether it wants more permits than there are. */
    boolean isImpossible(Claim claim) {
        return claim.kind() == Kind.SEMAPHORE && claim.permits() > capacity;
    }

    Outcome claim(Claim claim) {
        Entry entry = find(held, claim.id());
        if (entry != null) {
            use();
            entry.set(claim);
            entry.until(now + Micros.of(claim.lease()));
            return new Outcome.Granted(entry.token);
        }
        Entry waiting = find(queue, claim.id());
        List<Claim> ahead = claim.turn().barges() && waiting == null ? List.of() : ahead(claim.id());
        if (ClaimRule.grants(claim, claims(held), ahead, capacity)) {
            return new Outcome.Granted(grant(claim, waiting));
        }
        if (claim.turn().queues()) {
            queue(claim, waiting);
        }
        askHolders();
        return new Outcome.Waiting(timeLeft(ahead));
    }

    private long grant(Claim claim, @Nullable Entry waiting) {
        use();
        Entry entry = waiting;
        if (entry == null) {
            entry = Entry.of(claim, 0);
        } else {
            queue.remove(entry);
            entry.set(claim);
            entry.permits = claim.permits();
        }
        entry.held = true;
        entry.token = Math.max(lastToken + 1, now);
        entry.since = now;
        entry.endsAt = now + Micros.of(claim.lease());
        lastToken = entry.token + claim.tokens() - 1;
        if (entry.mode == Mode.EXCLUSIVE && held.stream().noneMatch(other -> other.inName)) {
            if (entry.stored) {
                removed.add(entry);
            }
            entry.inName = true;
        }
        held.add(entry);
        return entry.token;
    }

    private void queue(Claim claim, @Nullable Entry waiting) {
        Entry entry = waiting;
        if (entry == null) {
            use();
            entry = Entry.of(claim, queue.isEmpty() ? 1 : queue.get(queue.size() - 1).place + 1);
            entry.since = now;
            queue.add(entry);
        }
        entry.until(now + Micros.of(Claim.PLACE));
    }

    /** How the claim stands; {@code null} if it is gone. */
    @Nullable
    Standing renew(Claim claim) {
        Entry entry = find(held, claim.id());
        if (entry != null) {
            boolean fewer = claim.permits() < entry.permits;
            entry.set(claim);
            entry.until(now + Micros.of(claim.lease()));
            changed |= entry.inName;
            if (now - usedAt > Micros.of(KEPT) / 24) {
                use();
            }
            if (fewer) {
                call();
            }
            return Standing.HELD;
        }
        entry = find(queue, claim.id());
        if (entry == null) {
            return null;
        }
        entry.until(now + Micros.of(Claim.PLACE));
        return isImpossible(claim) || ClaimRule.grants(claim, claims(held), ahead(claim.id()), capacity)
                ? Standing.CALLED
                : Standing.WAITING;
    }

    /** Ends a claim, held or waiting. Whether it held. */
    boolean release(String id) {
        Entry holder = find(held, id);
        Entry waiter = find(queue, id);
        if (holder != null) {
            remove(held, holder);
            free();
        }
        if (waiter != null) {
            remove(queue, waiter);
        }
        if (holder != null || waiter != null) {
            call();
        }
        return holder != null;
    }

    /** Takes a claim that asks in vain out of the queue. */
    void leave(String id) {
        Entry waiter = find(queue, id);
        if (waiter != null) {
            remove(queue, waiter);
        }
    }

    /** Ends all that hold. Whether there was one. */
    boolean forceRelease() {
        if (held.isEmpty()) {
            return false;
        }
        for (Entry entry : List.copyOf(held)) {
            remove(held, entry);
        }
        free();
        call();
        return true;
    }

    int addPermits(int by) {
        capacity = (int) Math.max(0, Math.min(Integer.MAX_VALUE, (long) capacity + by));
        use();
        return capacity;
    }

    /** Calls those whose turn it is: each would be granted if it and those before it asked, or asks in vain. */
    void call() {
        List<Claim> ahead = new ArrayList<>();
        for (Entry entry : queue) {
            Claim claim = entry.claim(key.name());
            if (!isImpossible(claim)) {
                if (!ClaimRule.grants(claim, claims(held), ahead, capacity)) {
                    break;
                }
                ahead.add(claim);
            }
            call(entry);
        }
    }

    /** Calls those who hold and may not need to. */
    private void askHolders() {
        for (Entry entry : held) {
            if (entry.yields) {
                call(entry);
                changed |= entry.inName;
            }
        }
    }

    private void call(Entry entry) {
        entry.called++;
        entry.changed = true;
        called.add(entry);
    }

    private void free() {
        use();
        if (held.isEmpty()) {
            freed = true;
            changes++;
        }
    }

    private void use() {
        usedAt = now;
        changed = true;
    }

    private void remove(List<Entry> entries, Entry entry) {
        entries.remove(entry);
        changed = true;
        if (entry.stored) {
            removed.add(entry);
        }
    }

    private List<Claim> ahead(String id) {
        List<Claim> ahead = new ArrayList<>();
        for (Entry entry : queue) {
            if (entry.id.equals(id)) {
                break;
            }
            ahead.add(entry.claim(key.name()));
        }
        return ahead;
    }

    /** When a claim that is not granted may be without anybody's doing. */
    private Duration timeLeft(List<Claim> ahead) {
        if (!ahead.isEmpty()) {
            return Claim.PLACE;
        }
        return held.stream().mapToLong(entry -> entry.endsAt - now).min().stream()
                .mapToObj(Micros::duration)
                .findFirst()
                .orElse(Claim.PLACE);
    }

    private List<Claim> claims(List<Entry> entries) {
        return entries.stream().map(entry -> entry.claim(key.name())).toList();
    }

    private static @Nullable Entry find(List<Entry> entries, String id) {
        for (Entry entry : entries) {
            if (entry.id.equals(id)) {
                return entry;
            }
        }
        return null;
    }
}
