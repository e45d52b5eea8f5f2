package io.holdfast.internal.memory;

import io.holdfast.Claimant;
import io.holdfast.LockState;
import io.holdfast.internal.Ticker;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Outcome;
import io.holdfast.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one in-memory store, and the rule by which they are granted. Its methods are atomic and take no time; the
 * simulation runs on it as well, with its own clock.
 */
public final class MemoryLocks {

    private static final class Granted {
        Claim claim;
        final long token;
        final Instant since = Instant.now(); // shown, never decided on
        long endsAt;

        Granted(Claim claim, long token) {
            this.claim = claim;
            this.token = token;
        }
    }

    private final Ticker ticker;
    private final Map<String, Granted> held = new HashMap<>();

    /** One counter for all names, so that a name that was forgotten can't begin again. */
    private long lastToken;

    public MemoryLocks(Ticker ticker) {
        this.ticker = ticker;
    }

    public synchronized Outcome claim(Claim claim) {
        Granted granted = live(claim.name());
        if (granted == null) {
            granted = new Granted(claim, lastToken + 1);
            lastToken += claim.tokens();
            granted.endsAt = ends(claim);
            held.put(claim.name(), granted);
        } else if (!granted.claim.id().equals(claim.id())) {
            return new Outcome.Waiting(timeLeft(granted));
        } else {
            prolong(granted, claim);
        }
        return new Outcome.Granted(granted.token);
    }

    public synchronized Set<String> renew(List<Claim> claims) {
        Set<String> still = new HashSet<>();
        for (Claim claim : claims) {
            Granted granted = live(claim.name());
            if (granted != null && granted.claim.id().equals(claim.id())) {
                prolong(granted, claim);
                still.add(claim.id());
            }
        }
        return still;
    }

    public synchronized boolean release(Claim claim) {
        Granted granted = live(claim.name());
        return granted != null && granted.claim.id().equals(claim.id()) && held.remove(claim.name(), granted);
    }

    public synchronized boolean forceRelease(String name) {
        return live(name) != null && held.remove(name) != null;
    }

    public synchronized LockState inspect(String name) {
        Granted granted = live(name);
        return new LockState(name, granted == null ? List.of() : List.of(claimant(granted)), List.of());
    }

    public synchronized List<LockState> list(String prefix, int limit) {
        List<LockState> found = new ArrayList<>();
        for (String name : List.copyOf(held.keySet())) {
            if (name.startsWith(prefix) && found.size() < limit && live(name) != null) {
                found.add(inspect(name));
            }
        }
        return found;
    }

    private @Nullable Granted live(String name) {
        Granted granted = held.get(name);
        if (granted != null && granted.endsAt - ticker.nanos() <= 0) {
            held.remove(name);
            return null;
        }
        return granted;
    }

    private void prolong(Granted granted, Claim claim) {
        long ends = ends(claim);
        if (ends - granted.endsAt > 0) {
            granted.endsAt = ends;
        }
        granted.claim = claim;
    }

    private long ends(Claim claim) {
        return ticker.nanos() + claim.lease().toNanos();
    }

    private Duration timeLeft(Granted granted) {
        return Duration.ofNanos(granted.endsAt - ticker.nanos());
    }

    private Claimant claimant(Granted granted) {
        Owner owner = granted.claim.owner();
        return new Claimant(
                granted.claim.id(),
                owner.client(),
                owner.host(),
                owner.process(),
                owner.thread(),
                granted.token,
                granted.claim.holds(),
                granted.since,
                timeLeft(granted));
    }
}
