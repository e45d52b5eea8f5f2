package io.holdfast.redis;

import io.holdfast.spi.Claim;
import io.holdfast.spi.Turn;
import java.time.Duration;

/** What of a claim goes to a script, checked: scripts do not roll back, so nothing may reach one that it can't work with. */
final class Arguments {

    private static final Duration MAX_LEASE = Duration.ofDays(3_650);
    private static final int MAX_TOKENS = 1 << 20;

    private Arguments() {}

    static String id(Claim claim) {
        return id(claim.id());
    }

    private static String id(String id) {
        if (id.isEmpty() || id.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException("a claim's id must be visible ASCII without spaces");
        }
        return id;
    }

    static String beside(Claim claim) {
        String beside = claim.beside();
        return beside == null ? "" : id(beside);
    }

    static String millis(Claim claim) {
        Duration lease = claim.lease();
        if (lease.isNegative() || lease.isZero() || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "a lease must be more than nothing and at most " + MAX_LEASE.toDays() + " days, not " + lease);
        }
        // Rounded up: a claim never ends earlier than it was promised.
        return Long.toString(lease.plusNanos(999_999).toMillis());
    }

    static String holds(Claim claim) {
        return positive(claim.holds(), "hold");
    }

    static String permits(Claim claim) {
        return positive(claim.permits(), "permit");
    }

    static String capacity(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("a semaphore has no fewer than 0 permits, not " + capacity);
        }
        return Integer.toString(capacity);
    }

    static String tokens(Claim claim) {
        if (claim.tokens() < 1 || claim.tokens() > MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "a claim reserves 1 to " + MAX_TOKENS + " tokens, not " + claim.tokens());
        }
        return Integer.toString(claim.tokens());
    }

    static String turn(Turn turn) {
        return (turn.barges() ? "b" : "") + (turn.queues() ? "q" : "");
    }

    private static String positive(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException("a claim has at least 1 " + what + ", not " + number);
        }
        return Integer.toString(number);
    }
}
