package io.holdfast;

import java.time.Instant;
import java.util.List;

/**
 * What one client holds and waits for, as {@link Holdfast#snapshot()} found it. Each name is as it was at one moment; two names may be
 * some microseconds apart.
 *
 * @param at when it was taken, by the machine's clock
 * @param holds what callers of this client hold, and what it keeps for them; by name, then by age
 * @param waiters the callers that wait; by name, then by position
 */
public record ClientSnapshot(Instant at, List<LocalHold> holds, List<LocalWaiter> waiters) {

    public ClientSnapshot {
        holds = List.copyOf(holds);
        waiters = List.copyOf(waiters);
    }
}
