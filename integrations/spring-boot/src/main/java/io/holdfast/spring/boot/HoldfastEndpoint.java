package io.holdfast.spring.boot;

import io.holdfast.Claimant;
import io.holdfast.Holdfast;
import io.holdfast.LockState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The locks of the store, whichever client holds them. Read-only unless {@code management.endpoint.holdfast.access} is
 * {@code unrestricted}.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public class HoldfastEndpoint {

    private final Holdfast holdfast;

    public HoldfastEndpoint(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** The locks that are held and whose names begin with the prefix. */
    @ReadOperation
    public Locks locks(@Nullable String prefix) {
        List<LockState> held = holdfast.list(prefix == null ? "" : prefix);
        return new Locks(
                holdfast.guarantee().name(),
                held.stream().map(HoldfastEndpoint::describe).toList());
    }

    /** One lock: its holders and its queue, both empty if it is free. */
    @ReadOperation
    public Lock lock(@Selector String name) {
        return describe(holdfast.inspect(name));
    }

    /**
     * Ends the claim with this token, if it is the one that holds the lock now, and no later one.
     *
     * @return whether it was
     */
    @DeleteOperation
    public Map<String, Boolean> release(@Selector String name, long token) {
        return Map.of("released", holdfast.forceUnlock(name, token));
    }

    private static Lock describe(LockState state) {
        return new Lock(state.name(), state.permits(), state.holders(), state.waiters());
    }

    /**
     * All of them.
     *
     * @param guarantee what they survive
     * @param locks sorted by name
     */
    public record Locks(String guarantee, List<Lock> locks) {}

    /**
     * A lock or a semaphore.
     *
     * @param name its name
     * @param permits of a semaphore, 0 for a lock
     * @param holders what holds it
     * @param waiters what waits for it, in order
     */
    public record Lock(String name, int permits, List<Claimant> holders, List<Claimant> waiters) {}
}
