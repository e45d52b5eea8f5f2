package io.holdfast.cas;

import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.support.ClaimLine;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command for one name, which may be applied several times until its result is written.
 *
 * @param step applies it; the answer is {@code null} only where that is an answer of its own
 * @param ends whether it ends claims: then a write of this client that has not been answered must not come after it
 * @param waits whether it is of a claim that may wait behind others, so that it counts whether their tickets have ended
 * @param tidies whether claims that have ended by themselves are to be taken out of the value
 * @param least a token above which every later one of the name begins
 * @param merge the result, of that of an attempt whose answer was lost, which may have been written, and that of the last one
 * @param memory what the attempts came to
 */
record Command<T>(
        Function<ClaimLine, T> step,
        boolean ends,
        boolean waits,
        boolean tidies,
        long least,
        BinaryOperator<T> merge,
        Memory<T> memory,
        CompletableFuture<T> answer) {

    static <T> Command<T> of(boolean ends, boolean waits, Function<ClaimLine, T> step) {
        return of(ends, waits, step, (lost, last) -> last);
    }

    static <T> Command<T> of(boolean ends, boolean waits, Function<ClaimLine, T> step, BinaryOperator<T> merge) {
        return new Command<>(step, ends, waits, false, 0, merge, new Memory<>(), new CompletableFuture<>());
    }

    /** What the attempts came to. Attempts follow each other, on whichever thread. */
    static final class Memory<T> {
        private volatile @Nullable T last;
        private volatile @Nullable T lost;
    }

    /** The answer to the last attempt was lost: it may have been written. */
    void doubt() {
        T before = memory.lost;
        T last = memory.last;
        memory.lost = before == null || last == null ? last : merge.apply(before, last);
    }

    /** Raises the tokens of the name. */
    static Command<Boolean> raise(long above) {
        return new Command<>(
                line -> true,
                false,
                false,
                false,
                above,
                (lost, last) -> last,
                new Memory<>(),
                new CompletableFuture<>());
    }

    /** Takes out what has ended. */
    static Command<Boolean> tidy() {
        return new Command<>(
                line -> true, true, true, true, 0, (lost, last) -> last, new Memory<>(), new CompletableFuture<>());
    }

    /** Applies it to the line; what it returns completes the answer, with what relative tokens count from. */
    Function<Long, Runnable> apply(ClaimLine line) {
        try {
            T latest = step.apply(line);
            T lost = memory.lost;
            memory.last = latest;
            T result = lost == null ? latest : merge.apply(lost, latest);
            return base -> () -> answer.complete(above(result, base));
        } catch (RuntimeException e) {
            return base -> () -> answer.completeExceptionally(e);
        }
    }

    @SuppressWarnings("unchecked")
    private T above(T result, long base) {
        if (base == 0) {
            return result;
        }
        if (result instanceof ClaimResult.Granted granted) {
            return (T) new ClaimResult.Granted(
                    granted.token() + base,
                    granted.next().stream()
                            .map(next -> new ClaimResult.Next(next.claimId(), next.ticket() + base))
                            .toList());
        }
        if (result instanceof ClaimResult.Busy busy && busy.ticket() != 0) {
            return (T) new ClaimResult.Busy(busy.retryAfter(), busy.ticket() + base);
        }
        return result;
    }
}
