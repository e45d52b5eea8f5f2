package io.holdfast.internal.memory;

import io.holdfast.Claimant;
import io.holdfast.internal.memory.MemoryLocks.Freed;
import io.holdfast.internal.memory.MemoryLocks.Given;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimRule;
import io.holdfast.spi.Kind;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The claims of one name: those who hold, and those who wait in the order in which they came. */
final class Line {

    private static final long KEPT_NANOS = Duration.ofDays(1).toNanos();

    private static final class Entry {
        Claim claim;
        long token;
        final Instant since = Instant.now(); // shown, never decided on

        /** The number of its place in the queue, or 0. */
        final long place;

        long endsAt;

        Entry(Claim claim, long token, long place, long endsAt) {
            this.claim = claim;
            this.token = token;
            this.place = place;
            this.endsAt = endsAt;
        }

        void until(long end) {
            if (end - endsAt > 0) {
                endsAt = end;
            }
        }
    }

    private final Map<String, Entry> held = new LinkedHashMap<>();
    private final Map<String, Entry> queue = new LinkedHashMap<>();
    private final Set<String> changes = new LinkedHashSet<>();
    private final Kind kind;
    private final LongSupplier placeNumbers;
    private int capacity;

    /** Until when a semaphore is remembered that nobody uses. */
    private long keptUntil;

    Line(Kind kind, LongSupplier placeNumbers, int capacity, long now) {
        this.kind = kind;
        this.placeNumbers = placeNumbers;
        this.capacity = capacity;
        this.keptUntil = now + KEPT_NANOS;
    }

    int capacity() {
        return capacity;
    }

    boolean has(Claim claim) {
        return held.containsKey(claim.id());
    }

    void purge(long now) {
        held.values().removeIf(entry -> entry.endsAt - now <= 0);
        queue.values().removeIf(entry -> entry.endsAt - now <= 0);
        if (!held.isEmpty() || !queue.isEmpty()) {
            keptUntil = now + KEPT_NANOS;
        }
    }

    /** Whether nothing in it is worth keeping. */
    boolean isForgotten(long now) {
        return held.isEmpty() && queue.isEmpty() && (kind == Kind.LOCK || keptUntil - now <= 0);
    }

    /** @param next the smallest token that nobody has had */
    Outcome claim(Claim claim, long next, long now) {
        long token = Math.max(next, claim.floor());
        Entry entry = held.get(claim.id());
        if (entry != null) {
            entry.until(now + claim.lease().toNanos());
            if (entry.token < claim.floor()) {
                boolean isLast = entry.token + claim.tokens() == next;
                entry.token = isLast ? claim.floor() : token;
            }
            entry.claim = claim.withPermits(Math.min(claim.permits(), entry.claim.permits()));
            return new Outcome.Granted(entry.token);
        }
        List<Claim> ahead = ahead(claim);
        if (ClaimRule.grants(claim, claims(held), ahead, capacity)) {
            queue.remove(claim.id());
            held.put(claim.id(), new Entry(claim, token, 0, now + claim.lease().toNanos()));
            keptUntil = now + KEPT_NANOS;
            return new Outcome.Granted(token, behind(claim));
        }
        long place = 0;
        if (claim.turn().queues()) {
            long until = now + Claim.PLACE.toNanos();
            Entry waiting =
                    queue.computeIfAbsent(claim.id(), id -> new Entry(claim, 0, placeNumbers.getAsLong(), until));
            waiting.until(until);
            place = waiting.place;
        }
        return new Outcome.Waiting(timeLeft(ahead, now), place);
    }

    /** How the claim stands; {@code null} if it is gone. */
    @Nullable
    Standing renew(Claim claim, long now, List<Claim> called) {
        Entry entry = held.get(claim.id());
        if (entry != null) {
            entry.until(now + claim.lease().toNanos());
            boolean fewer = claim.permits() < entry.claim.permits();
            entry.claim = claim.withPermits(Math.min(claim.permits(), entry.claim.permits()));
            if (fewer) {
                called.addAll(next());
            }
            return Standing.HELD;
        }
        entry = queue.get(claim.id());
        if (entry == null) {
            return null;
        }
        entry.until(now + Claim.PLACE.toNanos());
        return isImpossible(claim) || ClaimRule.grants(claim, claims(held), ahead(claim), capacity)
                ? Standing.CALLED
                : Standing.WAITING;
    }

    /** @param next the smallest token that nobody has had */
    Freed remove(Claim claim, long next, long now) {
        boolean was = held.remove(claim.id()) != null;
        boolean waited = queue.remove(claim.id()) != null;
        if (!was && !waited) {
            return Freed.NOTHING;
        }
        Given given = was && held.isEmpty() ? give(next, now) : null;
        return given != null
                ? new Freed(true, false, List.of(), given)
                : new Freed(was, was && held.isEmpty(), next(), null);
    }

    /** Grants to the first of those who wait, if it may be granted by a call, for as long as its place would have lasted. */
    private @Nullable Given give(long token, long now) {
        Entry first = queue.isEmpty() ? null : queue.values().iterator().next();
        if (first == null || !first.claim.byCall()) {
            return null;
        }
        Claim claim = first.claim;
        long lease = now + claim.lease().toNanos();
        queue.remove(claim.id());
        held.put(claim.id(), new Entry(claim, token, 0, first.endsAt - lease < 0 ? first.endsAt : lease));
        return new Given(claim, first.place, new Outcome.Granted(token, behind(claim)));
    }

    Freed removeHolders() {
        if (held.isEmpty()) {
            return Freed.NOTHING;
        }
        held.clear();
        return new Freed(true, true, next(), null);
    }

    void addPermits(String id, int by, long now) {
        if (changes.add(id)) {
            capacity = (int) Math.max(0, Math.min(Integer.MAX_VALUE, (long) capacity + by));
        }
        keptUntil = now + KEPT_NANOS;
    }

    /** Those whose turn it is: each would be granted if it and those before it asked, or asks in vain. */
    List<Claim> next() {
        List<Claim> called = new ArrayList<>();
        List<Claim> ahead = new ArrayList<>();
        for (Entry entry : queue.values()) {
            Claim claim = entry.claim;
            if (isImpossible(claim)) {
                called.add(claim);
                continue;
            }
            if (!ClaimRule.grants(claim, claims(held), ahead, capacity)) {
                break;
            }
            called.add(claim);
            ahead.add(claim);
        }
        return called;
    }

    /** Those who hold and would let go. */
    List<Claim> yielding() {
        return claims(held).stream().filter(Claim::yields).toList();
    }

    List<Claimant> holders(long now) {
        return held.values().stream().map(entry -> claimant(entry, now)).toList();
    }

    List<Claimant> waiters(long now) {
        return queue.values().stream().map(entry -> claimant(entry, now)).toList();
    }

    /** Whether it wants more permits than there are. */
    boolean isImpossible(Claim claim) {
        return kind == Kind.SEMAPHORE && claim.permits() > capacity;
    }

    /** Those who come before it. Who barges passes them; once it has a place only if it may be granted by a call. */
    private List<Claim> ahead(Claim claim) {
        if (claim.turn().barges() && (claim.byCall() || !queue.containsKey(claim.id()))) {
            return List.of();
        }
        List<Claim> ahead = new ArrayList<>();
        for (Entry entry : queue.values()) {
            if (entry.claim.id().equals(claim.id())) {
                break;
            }
            ahead.add(entry.claim);
        }
        return ahead;
    }

    /** Those of its client who come right behind it, for as many as it has tokens. */
    private List<Outcome.Next> behind(Claim claim) {
        List<Outcome.Next> behind = new ArrayList<>(0);
        if (claim.mode() == Mode.EXCLUSIVE && !claim.turn().barges()) {
            for (Entry entry : queue.values()) {
                if (behind.size() + 1 >= claim.tokens() || !entry.claim.client().equals(claim.client())) {
                    break;
                }
                behind.add(new Outcome.Next(entry.claim.id(), entry.place));
            }
        }
        return behind;
    }

    /** When a claim that is not granted may be without anybody's doing. */
    private Duration timeLeft(List<Claim> ahead, long now) {
        return ahead.isEmpty()
                ? held.values().stream()
                        .map(entry -> Duration.ofNanos(entry.endsAt - now))
                        .min(Duration::compareTo)
                        .orElse(Claim.PLACE)
                : Claim.PLACE;
    }

    private static List<Claim> claims(Map<String, Entry> entries) {
        return entries.values().stream().map(entry -> entry.claim).toList();
    }

    private static Claimant claimant(Entry entry, long now) {
        Claim claim = entry.claim;
        Owner owner = claim.owner();
        return new Claimant(
                claim.id(),
                claim.mode(),
                claim.permits(),
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                entry.token == 0 ? null : entry.token,
                claim.holds(),
                entry.since,
                Duration.ofNanos(entry.endsAt - now));
    }
}
