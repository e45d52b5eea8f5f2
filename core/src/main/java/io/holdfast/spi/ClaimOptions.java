package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a claim asks for beyond the usual. A store heeds the tokens, and the compatible claim, which {@link ClaimRule} does for
 * it. The initial capacity is for a {@link SemaphoreStore}. The rest is asked for only where the store says that it heeds it.
 *
 * @param tokens how many consecutive fencing tokens the grant reserves, at least 1
 * @param capacity how many permits the semaphore has if the store does not know of it yet; 1 for a lock
 * @param compatibleWith another claim of the same owner that does not block this one: a writer's that takes the read
 *     lock as well. Such a claim always barges, and while that one holds it takes no ticket behind the queued claims: they
 *     wait for its owner. {@code null} mostly
 * @param revocable whether its client wants to be {@linkplain ClaimListener#revocationRequested notified} when another claim
 *     is not granted because of this one, since it may be kept without being needed. Set only on a {@link QueueingStore}
 * @param minToken the smallest token that the grant may begin with, or 0. A claim that is held with a smaller one gets a
 *     greater: this one, unless that may be another claim's. By this the nodes of a quorum agree on one token; see
 *     {@link StoreTraits#minTokens}
 * @param grantOnRelease whether it may be granted while it waits, by the release of another: then it holds for as long as its
 *     ticket would have lasted, and no longer than its lease from that release, and its client is {@linkplain
 *     ClaimListener#granted notified}. If it barges, it passes the claims before it whenever it is sent, though it has a ticket: their
 *     clients may be gone. Set only for an exclusive claim that queues, and where {@link StoreTraits#grantsOnRelease} is
 */
public record ClaimOptions(
        int tokens,
        int capacity,
        @Nullable String compatibleWith,
        boolean revocable,
        long minToken,
        boolean grantOnRelease) {

    /** One token, and nothing else. */
    public static final ClaimOptions NONE = new ClaimOptions(1, 1, null, false, 0, false);

    /** Tokens, and nothing else. */
    public static ClaimOptions tokens(int tokens) {
        return tokens == 1 ? NONE : NONE.withTokens(tokens);
    }

    public ClaimOptions withTokens(int number) {
        return new ClaimOptions(number, capacity, compatibleWith, revocable, minToken, grantOnRelease);
    }

    public ClaimOptions withCapacity(int permits) {
        return new ClaimOptions(tokens, permits, compatibleWith, revocable, minToken, grantOnRelease);
    }

    public ClaimOptions withCompatible(@Nullable String claimId) {
        return new ClaimOptions(tokens, capacity, claimId, revocable, minToken, grantOnRelease);
    }

    public ClaimOptions withRevocable(boolean may) {
        return new ClaimOptions(tokens, capacity, compatibleWith, may, minToken, grantOnRelease);
    }

    public ClaimOptions withMinToken(long least) {
        return new ClaimOptions(tokens, capacity, compatibleWith, revocable, least, grantOnRelease);
    }

    public ClaimOptions withGrantOnRelease(boolean may) {
        return new ClaimOptions(tokens, capacity, compatibleWith, revocable, minToken, may);
    }
}
