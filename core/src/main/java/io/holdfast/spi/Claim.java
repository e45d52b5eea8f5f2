package io.holdfast.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One owner's request for one name.
 *
 * @param name what is locked
 * @param id {@code <client-uuid>:<n>}, never reused, not even by a copy of the client's process
 * @param mode what is asked for
 * @param lease how long the store keeps the claim, once it is granted, from the moment that it runs the command; the engine
 *     sends 10 ms to 365 days
 * @param holds how often the owner has entered, at least 1; only shown
 * @param tokens how many consecutive fencing tokens the grant reserves, at least 1
 * @param owner who asks, for those who look
 * @param policy how it stands to others who wait
 * @param permits how many permits it asks for, at least 1; 1 for a lock
 * @param capacity how many permits the semaphore has if the store does not know of it yet; 1 for a lock
 * @param compatibleWith another claim of the same owner that does not stand in this one's way: a writer's that takes the read
 *     lock as well. Such a claim always barges, and while that one holds it takes no place behind the waiting claims: they
 *     wait for its owner. {@code null} mostly
 * @param revocable whether its client wants to be {@linkplain LockStore#listen called} when another claim is not granted
 *     because of this one, since it may be kept without being needed
 * @param minToken the smallest token that the grant may begin with, or 0. A claim that is held with a smaller one gets a
 *     greater: this one, unless that may be another claim's. By this several stores agree on one token; see
 *     {@link StoreTraits#minTokens}
 * @param grantOnRelease whether it may be granted while it waits, by the release of another: then it holds for as long as its place
 *     would have lasted, and no longer than its lease from that release, and its client {@linkplain ClaimListener#granted is
 *     told}. If it barges, it passes those before it whenever it asks, though it has a place: they may be gone. Set only for
 *     an exclusive claim that queues, and where {@link StoreTraits#grantsOnRelease} is
 */
public record Claim(
        String name,
        String id,
        Mode mode,
        Duration lease,
        int holds,
        int tokens,
        Owner owner,
        QueuePolicy policy,
        int permits,
        int capacity,
        @Nullable String compatibleWith,
        boolean revocable,
        long minToken,
        boolean grantOnRelease) {

    /** How long a place in the queue is kept after the command that took or renewed it. */
    public static final Duration TICKET = Duration.ofSeconds(3);

    /** An exclusive claim that passes those who wait and leaves nothing behind when it is not granted. */
    public Claim(String name, String id, Mode mode, Duration lease, int holds, int tokens, Owner owner) {
        this(name, id, mode, lease, holds, tokens, owner, QueuePolicy.BARGES, 1, 1, null);
    }

    /** A claim that does not yield. */
    public Claim(
            String name,
            String id,
            Mode mode,
            Duration lease,
            int holds,
            int tokens,
            Owner owner,
            QueuePolicy policy,
            int permits,
            int capacity,
            @Nullable String compatibleWith) {
        this(name, id, mode, lease, holds, tokens, owner, policy, permits, capacity, compatibleWith, false, 0, false);
    }

    public ResourceType kind() {
        return mode.kind();
    }

    /** The client that made it, as its id says. */
    public String client() {
        return id.substring(0, id.lastIndexOf(':'));
    }

    public Claim withLease(Duration lease) {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                revocable,
                minToken,
                grantOnRelease);
    }

    public Claim withHolds(int holds) {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                revocable,
                minToken,
                grantOnRelease);
    }

    public Claim asRevocable() {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                true,
                minToken,
                grantOnRelease);
    }

    public Claim withMinToken(long minToken) {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                revocable,
                minToken,
                grantOnRelease);
    }

    public Claim grantedOnRelease() {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                revocable,
                minToken,
                true);
    }

    public Claim withPermits(int permits) {
        return new Claim(
                name,
                id,
                mode,
                lease,
                holds,
                tokens,
                owner,
                policy,
                permits,
                capacity,
                compatibleWith,
                revocable,
                minToken,
                grantOnRelease);
    }
}
