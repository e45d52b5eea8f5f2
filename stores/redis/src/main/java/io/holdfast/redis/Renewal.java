package io.holdfast.redis;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.Mode;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews claims in batches: plain locks, which are most, with a script that looks at nothing but them; and the others,
 * with those that turned out to need more than that, with one that knows of queues and of claims next to each other.
 */
final class Renewal {

    private static final Logger log = LoggerFactory.getLogger(Renewal.class);

    /** Keep one script short for the other clients of the server: about a millisecond. */
    private static final int PLAIN_AT_ONCE = 256;

    private static final int LINES_AT_ONCE = 64;

    private final Server server;
    private final String kept;
    private final String place = Long.toString(Claim.PLACE.toMillis());

    /** @param kept how long a record outlives the lease, in milliseconds */
    Renewal(Server server, String kept) {
        this.server = server;
        this.kept = kept;
    }

    CompletableFuture<Map<String, Standing>> renew(List<Claim> claims) {
        List<Claim> plain = new ArrayList<>(claims.size());
        List<Claim> others = new ArrayList<>(0);
        for (Claim claim : claims) {
            server.epoch().asked(claim.lease());
            boolean isPlain = claim.mode() == Mode.EXCLUSIVE && claim.turn() == Turn.BARGES;
            (isPlain ? plain : others).add(claim);
        }
        Map<String, Standing> standings = new ConcurrentHashMap<>();
        CompletableFuture<?> lines = inBatches(others, LINES_AT_ONCE, this::lines, standings);
        CompletableFuture<?> locks = inBatches(plain, PLAIN_AT_ONCE, this::plain, standings)
                .thenCompose(done -> inBatches(
                        plain.stream()
                                .filter(claim -> !standings.containsKey(claim.id()))
                                .toList(),
                        LINES_AT_ONCE,
                        this::lines,
                        standings));
        return Errors.all(List.of(lines, locks), () -> standings);
    }

    private CompletableFuture<?> inBatches(
            List<Claim> claims,
            int size,
            Function<List<Claim>, CompletableFuture<Map<String, Standing>>> send,
            Map<String, Standing> standings) {
        List<CompletableFuture<?>> batches = new ArrayList<>();
        for (int from = 0; from < claims.size(); from += size) {
            batches.add(orApart(claims.subList(from, Math.min(claims.size(), from + size)), send)
                    .thenAccept(standings::putAll));
        }
        return Errors.all(batches, () -> standings);
    }

    /**
     * Sends a batch; if the server refuses it for one of its keys, which it does as a whole, each half of it alone. What
     * is refused alone while others are not is left out of the answer, and so is lost for its holder; the server keeps it
     * until its lease ends, so that nobody else has it any sooner.
     */
    private CompletableFuture<Map<String, Standing>> orApart(
            List<Claim> claims, Function<List<Claim>, CompletableFuture<Map<String, Standing>>> send) {
        return send.apply(claims).exceptionallyCompose(error -> {
            if (claims.size() == 1 || refusal(error) == null) {
                return CompletableFuture.failedFuture(error);
            }
            int half = claims.size() / 2;
            CompletableFuture<Map<String, Standing>> first = orApart(claims.subList(0, half), send);
            CompletableFuture<Map<String, Standing>> second = orApart(claims.subList(half, claims.size()), send);
            return first.handle(Half::new)
                    .thenCombine(second.handle(Half::new), Renewal::together)
                    .thenCompose(both -> both);
        });
    }

    private record Half(
            @Nullable Map<String, Standing> standings,
            @Nullable Throwable error) {

        boolean isRefused() {
            return error != null && refusal(error) != null;
        }
    }

    private static CompletableFuture<Map<String, Standing>> together(Half first, Half second) {
        Map<String, Standing> standings = new HashMap<>();
        for (Half half : List.of(first, second)) {
            if (half.standings != null) {
                standings.putAll(half.standings);
            } else if (!half.isRefused() || (first.isRefused() && second.isRefused())) {
                return CompletableFuture.failedFuture(
                        half.error == null ? new IllegalStateException("no answer") : half.error);
            } else {
                log.warn("What can't be renewed is lost: {}", String.valueOf(refusal(half.error)));
            }
        }
        return CompletableFuture.completedFuture(standings);
    }

    /** The server's answer if it is final. */
    private static @Nullable StoreRefusedException refusal(@Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        return cause instanceof StoreRefusedException refused && !refused.retryable() ? refused : null;
    }

    private CompletableFuture<Map<String, Standing>> plain(List<Claim> claims) {
        List<String> keys = new ArrayList<>(2 * claims.size());
        List<String> args = new ArrayList<>(3 * claims.size() + 1);
        args.add(kept);
        for (Claim claim : claims) {
            Keys its = Keys.of(claim.kind(), claim.name());
            Collections.addAll(keys, its.holders(), its.record());
            Collections.addAll(args, Arguments.id(claim), Arguments.millis(claim), Arguments.holds(claim));
        }
        return run(Script.RENEW, claims, keys, args);
    }

    private CompletableFuture<Map<String, Standing>> lines(List<Claim> claims) {
        List<String> keys = new ArrayList<>(6 * claims.size());
        List<String> args = new ArrayList<>(6 * claims.size() + 2);
        Collections.addAll(args, kept, place);
        for (Claim claim : claims) {
            Collections.addAll(keys, Keys.of(claim.kind(), claim.name()).line());
            Collections.addAll(
                    args,
                    Arguments.id(claim),
                    Arguments.millis(claim),
                    Arguments.holds(claim),
                    ClaimDetail.letter(claim.mode()),
                    Arguments.permits(claim),
                    Arguments.beside(claim));
        }
        return run(Script.RENEW_LINE, claims, keys, args);
    }

    private CompletableFuture<Map<String, Standing>> run(
            Script script, List<Claim> claims, List<String> keys, List<String> args) {
        Claim first = claims.get(0);
        String what = claims.size() == 1
                ? RedisStore.what(first.kind(), first.name())
                : "Renewing " + claims.size() + " locks";
        return server.run(what, script, keys.toArray(String[]::new), args.toArray(String[]::new), answer -> {
            Map<String, Standing> standings = new HashMap<>();
            for (int i = 0; i < claims.size(); i++) {
                Standing standing = standing(answer.text(i));
                if (standing != null) {
                    standings.put(claims.get(i).id(), standing);
                }
            }
            return standings;
        });
    }

    private static @Nullable Standing standing(String tag) {
        return switch (tag) {
            case "held" -> Standing.HELD;
            case "waiting" -> Standing.WAITING;
            case "called" -> Standing.CALLED;
            default -> null;
        };
    }
}
