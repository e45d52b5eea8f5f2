package io.holdfast.jdbc;

import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ReleaseResult;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the commands of one claim in order, whose attempts would otherwise run on several connections at once. A release
 * does not overtake the claim that it ends: one that was granted after its release had been answered would stay for a
 * whole lease. And whoever asks again while the database has not answered takes no second connection for it: a row that
 * somebody keeps locked holds up one command, and not all that the store can run at once.
 */
final class Order {

    /** By claim, the attempt that is under way, or the one that waits for it. */
    private final Map<String, Attempt> claims = new ConcurrentHashMap<>();

    private final Map<String, CompletableFuture<ReleaseResult>> releases = new ConcurrentHashMap<>();

    /** Runs a claim once no earlier attempt of it is under way any more. If that one fails, so does this. */
    CompletableFuture<ClaimResult> claiming(Claim claim, Supplier<CompletableFuture<ClaimResult>> command) {
        Attempt mine = new Attempt(claim, command);
        while (true) {
            Attempt before = claims.putIfAbsent(claim.id(), mine);
            if (before == null) {
                mine.begin();
                return mine.answer;
            }
            // Its answer is not one to share once it has begun: the lease is counted from when this one was asked for.
            if (!before.begun && before.claim.equals(claim)) {
                return before.answer;
            }
            if (claims.replace(claim.id(), before, mine)) {
                before.answer.whenComplete((outcome, failure) -> {
                    if (failure == null) {
                        mine.begin();
                    } else {
                        mine.end(null, failure);
                    }
                });
                return mine.answer;
            }
        }
    }

    /** Runs a release once no claim with this id is under way any more. If that release is under way, it is the same. */
    CompletableFuture<ReleaseResult> releasing(Claim claim, Supplier<CompletableFuture<ReleaseResult>> command) {
        CompletableFuture<ReleaseResult> answer = new CompletableFuture<>();
        CompletableFuture<ReleaseResult> before = releases.putIfAbsent(claim.id(), answer);
        if (before != null) {
            return before;
        }
        Runnable begin = () -> command.get().whenComplete((release, failure) -> {
            releases.remove(claim.id(), answer);
            complete(answer, release, failure);
        });
        Attempt last = claims.get(claim.id());
        if (last == null) {
            begin.run();
        } else {
            last.answer.whenComplete((outcome, failure) -> begin.run());
        }
        return answer;
    }

    private static <T> void complete(CompletableFuture<T> answer, @Nullable T value, @Nullable Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else if (value != null) {
            answer.complete(value);
        }
    }

    /** One attempt of a claim, and all that came before it began. */
    private final class Attempt {

        private final Claim claim;
        private final Supplier<CompletableFuture<ClaimResult>> command;
        private final CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
        private volatile boolean begun;

        Attempt(Claim claim, Supplier<CompletableFuture<ClaimResult>> command) {
            this.claim = claim;
            this.command = command;
        }

        void begin() {
            begun = true;
            command.get().whenComplete(this::end);
        }

        void end(@Nullable ClaimResult outcome, @Nullable Throwable failure) {
            claims.remove(claim.id(), this);
            complete(answer, outcome, failure);
        }
    }
}
