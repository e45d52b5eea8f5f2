package io.holdfast;

import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.time.Instant;

/**
 * What this client holds.
 *
 * @param name the lock or semaphore
 * @param mode whether it has the lock for itself, shared, or permits
 * @param permits how many permits; 1 for a lock
 * @param owner who has it here
 * @param entries how often the owner has entered; 0 for one that the client keeps
 * @param token the fencing token; 0 for one that the client keeps
 * @param since when the owner got it, by the machine's clock
 * @param timeLeft until when it may be believed in, if it is not renewed; zero if it is over and has not been told yet
 * @param renewed whether the watchdog renews it
 */
public record LocalHold(
        String name,
        Mode mode,
        int permits,
        LocalOwner owner,
        int entries,
        long token,
        Instant since,
        Duration timeLeft,
        boolean renewed) {

    /** What the name stands for. */
    public ResourceType type() {
        return mode.type();
    }
}
