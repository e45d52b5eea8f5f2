package io.holdfast.spi.support;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimRule;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.support.Notification.GrantedOnRelease;
import io.holdfast.spi.support.Notification.RevocationRequested;
import io.holdfast.spi.support.Notification.TurnReached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ordered live claims of one name, while a store applies commands to them: the claims that hold, and the queue.
 *
 * <p>A store loads the {@link LineState} of the name, makes a line of it, applies one command or several, and takes the
 * {@link #update}. Entries that have ended are out of the line from the start. Every command may be repeated and may come
 * late: it then leaves what running it once in time would have left, except that leases are set anew.
 *
 * <p>A line is used by one thread, for one moment. It is thrown away if the update can't be written.
 */
public final class ClaimLine {

    /** How long a semaphore that no claim uses keeps its capacity. */
    public static final Duration CAPACITY_KEPT = Duration.ofDays(1);

    /** A renewal counts as a use only as often as this, so that it need not write more than the claim's own end. */
    private static final long USE_NOTED_NANOS = CAPACITY_KEPT.dividedBy(24).toNanos();

    private final LineState before;
    private final CommandContext context;
    private final long now;
    private final List<LineEntry> holders;
    private final List<LineEntry> queue;
    private final List<Notification> notifications = new ArrayList<>(0);
    private Set<String> capacityChanges;
    private long lastToken;
    private int capacity;
    private long usedAt;
    private boolean freed;

    public ClaimLine(LineState state, CommandContext context) {
        this.before = state;
        this.context = context;
        this.now = context.now();
        this.holders = live(state.holders());
        this.queue = live(state.queue());
        this.lastToken = state.lastToken();
        this.usedAt = state.usedAt();
        boolean forgotten = holders.isEmpty() && queue.isEmpty() && now - usedAt >= CAPACITY_KEPT.toNanos();
        this.capacity = forgotten ? LineState.UNKNOWN_CAPACITY : state.capacity();
        this.capacityChanges = forgotten ? Set.of() : state.capacityChanges();
    }

    private List<LineEntry> live(List<LineEntry> entries) {
        List<LineEntry> live = new ArrayList<>(entries.size() + 1);
        for (LineEntry entry : entries) {
            if (!entry.hasEnded(now)) {
                live.add(entry);
            }
        }
        return live;
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    /**
     * Grants the claim, or leaves it to wait as its turn says. A claim that holds keeps its token, unless it is below the
     * claim's minimum token.
     *
     * @return {@code null} if the claim asks for more permits than there are. It has no ticket then, and the store answers
     *     with {@link #refusal}
     */
    public @Nullable ClaimResult claim(Claim claim) {
        if (claim.type() == ResourceType.SEMAPHORE) {
            initialize(claim.capacity());
        }
        int held = find(holders, claim.id());
        if (held >= 0) {
            return new ClaimResult.Granted(claimAgain(held, claim));
        }
        int queued = find(queue, claim.id());
        if (isImpossible(claim)) {
            if (queued >= 0) {
                queue.remove(queued);
            }
            return null;
        }
        List<Claim> ahead = ahead(claim);
        if (ClaimRule.grants(claim, claims(holders), ahead, capacity)) {
            return grant(claim, queued, now + claim.lease().toNanos());
        }
        requestRevocation();
        long ticket = claim.policy().queues() ? enqueue(claim, queued) : 0;
        return new ClaimResult.Busy(retryAfter(ahead), ticket);
    }

    /** How the claim stands; {@code null} if it neither holds nor waits. */
    public @Nullable ClaimStatus renew(Claim claim) {
        int held = find(holders, claim.id());
        if (held >= 0) {
            LineEntry entry = holders.get(held);
            holders.set(held, entry.renewed(claim, now + claim.lease().toNanos()));
            if (now - usedAt > USE_NOTED_NANOS) {
                usedAt = now;
            }
            if (claim.permits() < entry.claim().permits()) {
                notifyTurns();
            }
            return ClaimStatus.HELD;
        }
        int queued = find(queue, claim.id());
        if (queued < 0) {
            return null;
        }
        keepTicket(queued);
        return isImpossible(claim) || ClaimRule.grants(claim, claims(holders), ahead(claim), capacity)
                ? ClaimStatus.TURN_REACHED
                : ClaimStatus.WAITING;
    }

    /** Ends the claim, whether it holds or waits; the answer is whether it held. */
    public boolean release(Claim claim) {
        int held = find(holders, claim.id());
        int queued = find(queue, claim.id());
        if (queued >= 0) {
            queue.remove(queued);
        }
        if (held >= 0) {
            holders.remove(held);
            usedAt = now;
        }
        boolean last = held >= 0 && holders.isEmpty();
        if ((held >= 0 || queued >= 0) && !(last && grantToFirst())) {
            freed |= last;
            notifyTurns();
        }
        return held >= 0;
    }

    /**
     * Ends claims that hold; the answer is whether there was one.
     *
     * @param token empty for all of them, or the first token of the one to end
     */
    public boolean forceRelease(OptionalLong token) {
        boolean found = holders.removeIf(entry -> token.isEmpty() || entry.token() == token.getAsLong());
        if (found) {
            usedAt = now;
            freed |= holders.isEmpty();
            notifyTurns();
        }
        return found;
    }

    /**
     * Changes the capacity of a semaphore, once for each id, and never below zero.
     *
     * @param initial the capacity before that, if it is not known yet
     * @return the capacity after that
     */
    public int addPermits(String id, int by, int initial) {
        initialize(initial);
        if (!capacityChanges.contains(id)) {
            noteCapacityChange(id);
            capacity = (int) Math.max(0, Math.min(Integer.MAX_VALUE, (long) capacity + by));
            usedAt = now;
        }
        notifyTurns();
        return capacity;
    }

    /** Notes that the change was applied before: for a store that keeps the ids of changes outside the state. */
    public void noteCapacityChange(String id) {
        capacityChanges = new HashSet<>(capacityChanges);
        capacityChanges.add(id);
    }

    /** The answer to a claim for more permits than there are. */
    public StoreRefusedException refusal(Claim claim) {
        return new StoreRefusedException(
                "semaphore '" + claim.name() + "' has " + capacity + " permits, so " + claim.permits()
                        + " can't be had",
                false);
    }

    /** What came of the commands so far. */
    public LineUpdate update() {
        return new LineUpdate(
                before,
                new LineState(holders, queue, lastToken, capacity, usedAt, capacityChanges),
                freed,
                notifications);
    }

    // ---- granting ---------------------------------------------------------------------------------------------

    private ClaimResult.Granted grant(Claim claim, int queued, long endsAt) {
        if (queued >= 0) {
            queue.remove(queued);
        }
        long token = Math.max(nextToken(), claim.minToken());
        lastToken = token + claim.tokens() - 1;
        usedAt = now;
        holders.add(new LineEntry(claim, 0, token, context.wallTime(), endsAt));
        return new ClaimResult.Granted(token, next(claim));
    }

    /** The claim holds already: its client repeats it, or has to have a greater token. */
    private long claimAgain(int held, Claim claim) {
        LineEntry entry = holders.get(held).renewed(claim, now + claim.lease().toNanos());
        if (entry.token() < claim.minToken()) {
            long next = nextToken();
            // Only the last grant may go on to the minimum token itself: what lies in between is no other claim's.
            boolean isLast = entry.token() + claim.tokens() == next;
            entry = entry.withToken(isLast ? claim.minToken() : Math.max(next, claim.minToken()));
            lastToken = Math.max(lastToken, entry.token() + claim.tokens() - 1);
        }
        usedAt = now;
        holders.set(held, entry);
        return entry.token();
    }

    /** The name has no holder: grants it to the first in the queue, if that claim may be granted on release. */
    private boolean grantToFirst() {
        if (queue.isEmpty() || !queue.get(0).claim().grantOnRelease()) {
            return false;
        }
        LineEntry first = queue.get(0);
        Claim claim = first.claim();
        long lease = now + claim.lease().toNanos();
        // No longer than the ticket would have lasted: nothing has been heard of its client since.
        ClaimResult.Granted grant = grant(claim, 0, first.endsAt() - lease < 0 ? first.endsAt() : lease);
        notifications.add(new GrantedOnRelease(claim, first.ticket(), grant));
        return true;
    }

    private long nextToken() {
        return Math.max(lastToken + 1, context.minimumToken());
    }

    /** The same client's claims that come right behind it, for as many as it has tokens. */
    private List<ClaimResult.Next> next(Claim claim) {
        if (claim.mode() != Mode.EXCLUSIVE || claim.policy().barges() || queue.isEmpty()) {
            return List.of();
        }
        List<ClaimResult.Next> next = new ArrayList<>(0);
        for (LineEntry entry : queue) {
            if (next.size() + 1 >= claim.tokens() || !entry.claim().client().equals(claim.client())) {
                break;
            }
            next.add(new ClaimResult.Next(entry.id(), entry.ticket()));
        }
        return next;
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    private long enqueue(Claim claim, int queued) {
        if (queued >= 0) {
            keepTicket(queued);
            return queue.get(queued).ticket();
        }
        long last = queue.isEmpty() ? 0 : queue.get(queue.size() - 1).ticket();
        long ticket = Math.max(last + 1, context.minimumTicket());
        usedAt = now;
        queue.add(new LineEntry(claim, ticket, 0, context.wallTime(), now + Claim.TICKET.toNanos()));
        return ticket;
    }

    private void keepTicket(int queued) {
        queue.set(queued, queue.get(queued).keptUntil(now + Claim.TICKET.toNanos()));
    }

    /**
     * Notifies the queued claims whose turn is reached: each would be granted if it and those notified before it were sent
     * now, or would be refused.
     */
    private void notifyTurns() {
        if (queue.isEmpty()) {
            return;
        }
        List<Claim> held = claims(holders);
        List<Claim> ahead = new ArrayList<>();
        for (LineEntry entry : queue) {
            Claim claim = entry.claim();
            if (!isImpossible(claim)) {
                if (!ClaimRule.grants(claim, held, ahead, capacity)) {
                    break;
                }
                ahead.add(claim);
            }
            notifications.add(new TurnReached(claim));
        }
    }

    private void requestRevocation() {
        for (LineEntry entry : holders) {
            if (entry.claim().revocable()) {
                notifications.add(new RevocationRequested(entry.claim()));
            }
        }
    }

    /** The queued claims that come first. A barging claim passes them as long as it has no ticket. */
    private List<Claim> ahead(Claim claim) {
        int queued = find(queue, claim.id());
        if (claim.policy().barges() && queued < 0) {
            return List.of();
        }
        return claims(queued < 0 ? queue : queue.subList(0, queued));
    }

    /** When a claim that waits may be granted without a release. */
    private Duration retryAfter(List<Claim> ahead) {
        if (!ahead.isEmpty() || holders.isEmpty()) {
            return Claim.TICKET;
        }
        long least = Long.MAX_VALUE;
        for (LineEntry entry : holders) {
            least = Math.min(least, entry.endsAt() - now);
        }
        return Duration.ofNanos(least);
    }

    // ---- capacity ---------------------------------------------------------------------------------------------

    private void initialize(int initial) {
        if (capacity == LineState.UNKNOWN_CAPACITY) {
            capacity = initial;
            usedAt = now;
        }
    }

    private boolean isImpossible(Claim claim) {
        return claim.type() == ResourceType.SEMAPHORE && claim.permits() > capacity;
    }

    // ---- entries ----------------------------------------------------------------------------------------------

    private static int find(List<LineEntry> entries, String id) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    private static List<Claim> claims(List<LineEntry> entries) {
        if (entries.isEmpty()) {
            return List.of();
        }
        List<Claim> claims = new ArrayList<>(entries.size());
        for (LineEntry entry : entries) {
            claims.add(entry.claim());
        }
        return claims;
    }
}
