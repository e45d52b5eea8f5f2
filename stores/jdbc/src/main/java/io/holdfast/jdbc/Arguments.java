package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import java.time.Duration;

/** What may reach the database. The engine sees to most of it; what it does not know of is the width of the columns. */
final class Arguments {

    private static final int MAX_NAME_BYTES = 1_024;
    private static final int MAX_ID = 200;
    private static final int MAX_TOKENS = 1 << 20;
    private static final Duration MAX_LEASE = Duration.ofDays(3_650);

    private Arguments() {}

    static Claim check(Claim claim) {
        name(claim.name());
        id(claim.id());
        if (claim.compatibleWith() != null) {
            id(claim.compatibleWith());
        }
        Duration lease = claim.lease();
        if (lease.isNegative() || lease.isZero() || lease.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "a lease must be more than nothing and at most " + MAX_LEASE.toDays() + " days, not " + lease);
        }
        if (claim.tokens() < 1 || claim.tokens() > MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "a claim reserves 1 to " + MAX_TOKENS + " tokens, not " + claim.tokens());
        }
        if (claim.holds() < 1 || claim.permits() < 1 || claim.capacity() < 0) {
            throw new IllegalArgumentException("a claim has at least 1 hold and 1 permit, and no negative capacity");
        }
        return claim;
    }

    static String name(String name) {
        return text("a name", name);
    }

    static String text(String what, String text) {
        if (text.isEmpty() || (text.length() > MAX_NAME_BYTES / 3 && Key.bytes(text).length > MAX_NAME_BYTES)) {
            throw new IllegalArgumentException(what + " has 1 to " + MAX_NAME_BYTES + " bytes of UTF-8");
        }
        return text;
    }

    private static void id(String id) {
        if (id.length() > MAX_ID || id.indexOf(':') < 1 || id.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
            throw new IllegalArgumentException(
                    "a claim's id is <client>:<n>, visible ASCII, at most " + MAX_ID + " characters");
        }
    }
}
