package io.holdfast.internal.memory;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.internal.time.Ticker;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.ResourceType;
import io.holdfast.spi.support.ClaimLine;
import io.holdfast.spi.support.CommandContext;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineUpdate;
import io.holdfast.spi.support.Notification;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one in-memory store: the state of each name, to which a {@link ClaimLine} applies the commands. Its methods
 * are atomic and take no time; the simulation runs on it as well, with its own clock. What to notify when a command has run
 * is in its answer.
 */
public final class MemoryLocks {

    /**
     * What came of a command that may have made room.
     *
     * @param held whether what it ended was held
     * @param free whether the name has no holder now, so that its watchers are to be notified
     * @param notifications what to tell the clients of claims, in order
     */
    public record Freed(boolean held, boolean free, List<Notification> notifications) {}

    private final Ticker ticker;
    private final Map<Resource, LineState> lines = new LinkedHashMap<>();

    /** One count of tokens for all names, so that a name that was forgotten can't begin again. */
    private long lastToken;

    /** One count of tickets for all names, for the same reason. */
    private long lastTicket;

    public MemoryLocks(Ticker ticker) {
        this(ticker, 0);
    }

    /** @param lastTicket the greatest ticket number of an earlier store of which late notifications may arrive */
    public MemoryLocks(Ticker ticker, long lastTicket) {
        this.ticker = ticker;
        this.lastTicket = lastTicket;
    }

    /** The greatest ticket number that a claim has had. */
    public synchronized long lastTicket() {
        return lastTicket;
    }

    /** Adds what to tell the clients of claims to {@code notifications}. */
    public synchronized ClaimResult claim(Claim claim, List<Notification> notifications) {
        Resource key = claim.resource();
        forgetSome(key);
        ClaimLine line = load(key);
        ClaimResult outcome = line.claim(claim);
        notifications.addAll(save(key, line).notifications());
        if (outcome == null) {
            throw line.refusal(claim);
        }
        return outcome;
    }

    /** How the claims stand that are still there. Adds what to tell the clients of claims to {@code notifications}. */
    public synchronized Map<String, ClaimStatus> renew(List<Claim> claims, List<Notification> notifications) {
        Map<String, ClaimStatus> statuses = new LinkedHashMap<>();
        for (Claim claim : claims) {
            Resource key = claim.resource();
            ClaimLine line = load(key);
            ClaimStatus status = line.renew(claim);
            if (status != null) {
                statuses.put(claim.id(), status);
            }
            notifications.addAll(save(key, line).notifications());
        }
        return statuses;
    }

    public synchronized Freed release(Claim claim) {
        Resource key = claim.resource();
        ClaimLine line = load(key);
        boolean held = line.release(claim);
        return freed(held, save(key, line));
    }

    public synchronized Freed forceRelease(Resource key, OptionalLong token) {
        ClaimLine line = load(key);
        boolean held = line.forceRelease(token);
        return freed(held, save(key, line));
    }

    public synchronized void raiseTokens(long above) {
        lastToken = Math.max(lastToken, above);
    }

    private static Freed freed(boolean held, LineUpdate update) {
        return new Freed(held, update.freed(), update.notifications());
    }

    /** The answer is the capacity after that. Adds what to tell the clients of claims to {@code notifications}. */
    public synchronized int addPermits(String name, String id, int by, int capacity, List<Notification> notifications) {
        Resource key = Resource.semaphore(name);
        forgetSome(key);
        ClaimLine line = load(key);
        int permits = line.addPermits(id, by, capacity);
        notifications.addAll(save(key, line).notifications());
        return permits;
    }

    public synchronized LockState inspect(Resource key) {
        LineState state = save(key, load(key)).state();
        return new LockState(
                key.name(),
                key.type() == ResourceType.SEMAPHORE ? state.capacity() : 0,
                claimants(state.holders()),
                claimants(state.queue()));
    }

    public synchronized List<LockState> list(ResourceType type, String prefix, int limit) {
        List<LockState> found = new ArrayList<>();
        for (Resource key : List.copyOf(lines.keySet())) {
            if (key.type() == type && key.name().startsWith(prefix) && found.size() < limit) {
                LockState state = inspect(key);
                if (state.isLocked()) {
                    found.add(state);
                }
            }
        }
        return found;
    }

    private ClaimLine load(Resource key) {
        return new ClaimLine(
                lines.getOrDefault(key, LineState.EMPTY),
                new CommandContext(ticker.nanos(), Instant.now(), lastToken + 1, lastTicket + 1));
    }

    private LineUpdate save(Resource key, ClaimLine line) {
        LineUpdate update = line.update();
        LineState state = update.state();
        lastToken = Math.max(lastToken, state.lastToken());
        lastTicket = Math.max(lastTicket, state.lastTicket());
        if (state.isEmpty()) {
            lines.remove(key);
        } else {
            lines.put(key, state);
        }
        return update;
    }

    /** Semaphores are kept for a day, and what has ended until it is loaded: the oldest go when new ones come. */
    private void forgetSome(Resource coming) {
        if (lines.isEmpty() || lines.containsKey(coming)) {
            return;
        }
        Iterator<Map.Entry<Resource, LineState>> oldest = lines.entrySet().iterator();
        for (int i = 0; i < 2 && oldest.hasNext(); i++) {
            Map.Entry<Resource, LineState> old = oldest.next();
            if (load(old.getKey()).update().state().isEmpty()) {
                oldest.remove();
            }
        }
    }

    private List<Claimant> claimants(List<LineEntry> entries) {
        long now = ticker.nanos();
        return entries.stream().map(entry -> claimant(entry, now)).toList();
    }

    private static Claimant claimant(LineEntry entry, long now) {
        Claim claim = entry.claim();
        Owner owner = claim.owner();
        return new Claimant(
                claim.id(),
                claim.mode(),
                claim.permits(),
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                token(entry),
                claim.holds(),
                entry.since(),
                Duration.ofNanos(entry.endsAt() - now));
    }

    private static @Nullable Long token(LineEntry entry) {
        return entry.token() == 0 ? null : (Long) entry.token();
    }
}
