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
 * @param owner the owner, for inspection
 * @param policy how it stands to the queued claims; on a store without a queue always {@link QueuePolicy#BARGES}
 * @param permits how many permits it asks for, at least 1; 1 for a lock
 * @param options what it asks for beyond that
 */
public record Claim(
        String name,
        String id,
        Mode mode,
        Duration lease,
        int holds,
        Owner owner,
        QueuePolicy policy,
        int permits,
        ClaimOptions options) {

    /** How long a ticket lasts after the command that took or renewed it. */
    public static final Duration TICKET = Duration.ofSeconds(3);

    /** An exclusive claim that passes the queued claims and leaves nothing behind when it is not granted. */
    public Claim(String name, String id, Mode mode, Duration lease, int holds, int tokens, Owner owner) {
        this(name, id, mode, lease, holds, owner, QueuePolicy.BARGES, 1, ClaimOptions.tokens(tokens));
    }

    public Resource resource() {
        return new Resource(type(), name);
    }

    public ResourceType type() {
        return mode.type();
    }

    /** What messages call it: its resource. */
    public String label() {
        return Messages.label(type(), name);
    }

    /** The client that made it, as its id says. */
    public String client() {
        return id.substring(0, id.lastIndexOf(':'));
    }

    // ---- the options ------------------------------------------------------------------------------------------

    public int tokens() {
        return options.tokens();
    }

    public int capacity() {
        return options.capacity();
    }

    public @Nullable String compatibleWith() {
        return options.compatibleWith();
    }

    public boolean revocable() {
        return options.revocable();
    }

    public long minToken() {
        return options.minToken();
    }

    public boolean grantOnRelease() {
        return options.grantOnRelease();
    }

    // ---- changed in one thing ---------------------------------------------------------------------------------

    public Claim withLease(Duration time) {
        return new Claim(name, id, mode, time, holds, owner, policy, permits, options);
    }

    public Claim withHolds(int number) {
        return new Claim(name, id, mode, lease, number, owner, policy, permits, options);
    }

    public Claim withPermits(int number) {
        return new Claim(name, id, mode, lease, holds, owner, policy, number, options);
    }

    public Claim withOptions(ClaimOptions other) {
        return new Claim(name, id, mode, lease, holds, owner, policy, permits, other);
    }

    public Claim asRevocable() {
        return withOptions(options.withRevocable(true));
    }

    public Claim withMinToken(long least) {
        return withOptions(options.withMinToken(least));
    }

    public Claim grantedOnRelease() {
        return withOptions(options.withGrantOnRelease(true));
    }
}
