package io.holdfast;

import io.holdfast.spi.Mode;
import io.holdfast.spi.ResourceType;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A caller of this client that has asked and has no answer yet.
 *
 * @param type what the name stands for
 * @param name the lock, semaphore or latch
 * @param mode what it asks for; {@code null} for a latch
 * @param permits how many permits; 1 for a lock, 0 for a latch
 * @param owner who asks
 * @param since when it asked, by the machine's clock
 * @param timeLeft how much longer it waits; {@code null} if it waits until it gets an answer
 * @param position how many callers of this client asked for the same before it and wait as well; the store's queue is {@link
 *     LockState#waiters}
 */
public record LocalWaiter(
        ResourceType type,
        String name,
        @Nullable Mode mode,
        int permits,
        LocalOwner owner,
        Instant since,
        @Nullable Duration timeLeft,
        int position) {}
