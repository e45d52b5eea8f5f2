package io.holdfast.spi;

import java.util.Collection;
import java.util.List;

/**
 * The one rule by which claims are granted, for stores that can use Java for it. An exclusive claim is granted when no
 * other claim is before it; a shared one when no exclusive one is; a claim for permits when it and the claims before it fit
 * the capacity. "Before it" are the claims that hold, and the queued claims with an earlier ticket; a claim that barges passes
 * queued claims until it has a ticket itself.
 */
public final class ClaimRule {

    private ClaimRule() {}

    /**
     * Whether a claim that is not held may be granted.
     *
     * @param held the live claims of the name that hold
     * @param ahead the live queued claims that come first; none for a claim that barges and has no ticket yet
     * @param capacity how many permits there are; of no meaning for a lock
     */
    public static boolean grants(Claim claim, Collection<Claim> held, Collection<Claim> ahead, int capacity) {
        return switch (claim.mode()) {
            case EXCLUSIVE -> held.stream().allMatch(other -> isCompatible(claim, other)) && ahead.isEmpty();
            case SHARED ->
                held.stream().allMatch(other -> other.mode() == Mode.SHARED || isCompatible(claim, other))
                        && ahead.stream().allMatch(other -> other.mode() == Mode.SHARED);
            case PERMITS -> permits(held) + permits(possible(ahead, capacity)) + claim.permits() <= capacity;
        };
    }

    private static boolean isCompatible(Claim claim, Claim other) {
        return other.id().equals(claim.compatibleWith());
    }

    /** A claim for more than there are will be refused, and blocks no other claim until then. */
    private static List<Claim> possible(Collection<Claim> claims, int capacity) {
        return claims.stream().filter(claim -> claim.permits() <= capacity).toList();
    }

    private static long permits(Collection<Claim> claims) {
        return claims.stream().mapToLong(Claim::permits).sum();
    }
}
