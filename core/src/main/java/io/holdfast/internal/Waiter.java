package io.holdfast.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller of this client who wants a lock. */
final class Waiter {

    static final long FOREVER = Long.MAX_VALUE;

    final String name;
    final Terms terms;
    final LockOwner owner;
    final long waitNanos;

    /** The hold, or {@code null} if it was not had in time. Whoever completes it first has decided. */
    final CompletableFuture<@Nullable Hold> result = new CompletableFuture<>();

    final long askedAt;

    /** The first asking whose answer says how things stood after this waiter came. */
    long firstAttempt;

    /** Whether the store has answered anything since this waiter came. */
    boolean answered;

    /** Whether its time is over and it only waits for the first answer. */
    boolean overdue;

    /** Whether the listeners were told that it waits. */
    boolean announced;

    @Nullable
    Timer timeout;

    Waiter(String name, Terms terms, LockOwner owner, long waitNanos, long askedAt) {
        this.name = name;
        this.terms = terms;
        this.owner = owner;
        this.waitNanos = waitNanos;
        this.askedAt = askedAt;
    }

    /** Whether it wants an answer now rather than the lock later. */
    boolean impatient() {
        return waitNanos <= 0 || overdue;
    }

    boolean timed() {
        return waitNanos > 0 && waitNanos != FOREVER;
    }

    boolean decided() {
        return result.isDone();
    }
}
