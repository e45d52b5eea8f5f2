package io.holdfast.spi;

import java.time.Duration;

/**
 * One owner's request for one name.
 *
 * @param name what is locked
 * @param id {@code <client-uuid>:<n>}, never reused
 * @param mode what is asked for
 * @param lease how long the store keeps the claim from the moment that it runs the command
 * @param holds how often the owner has entered, at least 1; only shown
 * @param tokens how many consecutive fencing tokens the grant reserves, at least 1
 * @param owner who asks, for those who look
 */
public record Claim(String name, String id, Mode mode, Duration lease, int holds, int tokens, Owner owner) {

    public Claim withLease(Duration lease) {
        return new Claim(name, id, mode, lease, holds, tokens, owner);
    }

    public Claim withHolds(int holds) {
        return new Claim(name, id, mode, lease, holds, tokens, owner);
    }
}
