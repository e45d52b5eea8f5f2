package io.holdfast;

import io.holdfast.spi.Mode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who holds a lock or waits for it, as the store knows them. What the store was not told is {@code null}: a
 * lock taken by another library shows its claim id and its time left, and little more.
 *
 * @param claimId the claim, {@code <client-uuid>:<n>}
 * @param mode what it has or wants: the lock for itself, shared, or permits
 * @param permits how many permits; 1 for a lock
 * @param client the name or uuid of the client that made it
 * @param host the host that the client runs on
 * @param process its process id
 * @param thread the thread that asked, where known; a lock handed on inside one client keeps the first one's
 * @param token the fencing token of the grant, the first of its range; {@code null} for a waiter
 * @param holds how often the holder has entered, as last written
 * @param since when it was granted, or began to wait, by the store's clock
 * @param timeLeft how long the store will keep it, or its place in the queue, if it is not renewed
 */
public record Claimant(
        String claimId,
        Mode mode,
        int permits,
        @Nullable String client,
        @Nullable String host,
        @Nullable Long process,
        @Nullable String thread,
        @Nullable Long token,
        int holds,
        @Nullable Instant since,
        Duration timeLeft) {}
