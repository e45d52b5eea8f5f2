package io.holdfast.cas;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What the parts of one store object share.
 *
 * @param clock monotonic, in nanoseconds
 * @param timeoutNanos how long a command may go on trying
 */
record Kernel(
        Register register,
        LongSupplier clock,
        Pauses pauses,
        RandomGenerator random,
        Stamps stamps,
        long timeoutNanos) {

    /** The fewest tries after which a command pauses before the next one. */
    private static final int AT_ONCE = 2;

    /** From this try on it pauses less and less: the longer a command has lost, the sooner it is next. */
    private static final int OLD = 8;

    private static final long LEAST_PAUSE = 500_000;
    private static final int DOUBLINGS = 6;

    long now() {
        return clock.getAsLong();
    }

    /** How far apart tokens of consecutive revisions are: as many tokens as most grants have. */
    static final int REVISION_BITS = 8;

    /** What tokens of a value with this version count from. */
    long base(long version) {
        return register.hasRevisions() ? version << REVISION_BITS : 0;
    }

    /**
     * Tries again, at once or after a pause, when another client was faster.
     *
     * <p>All who lost retry at once twice; then they spread out, at most over 32 ms, until they fit. A command that has lost more
     * often than that pauses for less and less, while newcomers spread out: so the oldest wins next, and nobody starves.
     */
    void again(int lost, Runnable attempt) {
        if (lost <= AT_ONCE) {
            attempt.run();
            return;
        }
        int doublings = Math.min(lost - AT_ONCE - 1, DOUBLINGS);
        long window = LEAST_PAUSE << doublings >> Math.max(0, Math.min(DOUBLINGS, lost - OLD));
        pauses.after(1 + random.nextLong(window), attempt);
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Completes it with what the step comes to, or throws. */
    static <T> void complete(CompletableFuture<T> answer, java.util.function.Supplier<T> step) {
        T value;
        try {
            value = step.get();
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
            return;
        }
        answer.complete(value);
    }
}
