package io.holdfast.redis;

import io.holdfast.spi.Claim;
import io.holdfast.spi.QueuePolicy;
import java.time.Duration;
import java.util.Arrays;

/** What of a claim goes to a script, checked: scripts do not roll back, so nothing may reach one that it can't work with. */
final class Arguments {

    private static final Duration MAX_LEASE = Duration.ofDays(3_650);
    private static final int MAX_TOKENS = 1 << 20;

    /** Lua counts in doubles. */
    private static final long TOKENS_END = 1L << 53;

    private Arguments() {}

    /** What a claim needs that is not alone with its lock, behind what every claim needs. */
    static String[] inLine(Claim claim, String[] plain, String placeKept) {
        String[] more = {
            ClaimDetail.letter(claim.mode()),
            policy(claim.policy()),
            permits(claim),
            capacity(claim.capacity()),
            compatibleWith(claim),
            placeKept,
            minToken(claim),
            claim.grantOnRelease() ? "c" : ""
        };
        String[] all = Arrays.copyOf(plain, plain.length + more.length);
        System.arraycopy(more, 0, all, plain.length, more.length);
        return all;
    }

    static String id(Claim claim) {
        return id(claim.id());
    }

    private static String id(String id) {
        boolean good = !id.isEmpty();
        for (int i = 0; i < id.length(); i++) {
            good &= id.charAt(i) > ' ' && id.charAt(i) < 127;
        }
        if (!good) {
            throw new IllegalArgumentException("a claim's id must be visible ASCII without spaces");
        }
        return id;
    }

    static String compatibleWith(Claim claim) {
        String compatibleWith = claim.compatibleWith();
        return compatibleWith == null ? "" : id(compatibleWith);
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

    static String minToken(Claim claim) {
        if (claim.minToken() < 0 || claim.minToken() >= TOKENS_END) {
            throw new IllegalArgumentException("a token is 0 to 2^53 - 1, not " + claim.minToken());
        }
        return claim.minToken() == 0 ? "0" : Long.toString(claim.minToken());
    }

    static String policy(QueuePolicy policy) {
        return (policy.barges() ? "b" : "") + (policy.queues() ? "q" : "");
    }

    private static String positive(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException("a claim has at least 1 " + what + ", not " + number);
        }
        return Integer.toString(number);
    }
}
