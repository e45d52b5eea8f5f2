package io.holdfast.redis;

import io.holdfast.NotReplicatedException;
import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
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

    private static final long SHORTEST_STRETCH_NANOS = Duration.ofMinutes(1).toNanos();

    private final Servers servers;
    private final Epoch.Memory memory;
    private final long keptNanos;
    private final LongSupplier nanos;
    private final long openedAt;
    private final String kept;
    private final String ticket = Long.toString(Claim.TICKET.toMillis());

    /**
     * @param kept how long a record outlives the lease
     * @param nanos the time, by which the store was opened just now
     */
    Renewal(Servers servers, Epoch.Memory memory, Duration kept, LongSupplier nanos) {
        this.servers = servers;
        this.memory = memory;
        this.keptNanos = kept.toNanos();
        this.kept = Long.toString(kept.toMillis());
        this.nanos = nanos;
        this.openedAt = nanos.getAsLong();
    }

    CompletableFuture<Map<String, ClaimStatus>> renew(List<Claim> claims) {
        Map<Alike, List<Claim>> plain = new LinkedHashMap<>();
        List<Claim> others = new ArrayList<>(0);
        for (Claim claim : claims) {
            if (RedisStore.isPlain(claim)) {
                plain.computeIfAbsent(Alike.of(claim), alike -> new ArrayList<>())
                        .add(claim);
            } else {
                memory.asked(claim.lease());
                others.add(claim);
            }
        }
        CompletableFuture<Part> locks = CompletableFuture.completedFuture(Part.NOTHING);
        for (Map.Entry<Alike, List<Claim>> alike : plain.entrySet()) {
            memory.asked(alike.getKey().lease);
            locks = locks.thenCombine(inBatches(alike.getValue(), PLAIN_AT_ONCE, this::plain), Part::and);
        }
        locks = locks.thenCompose(part -> part.look.isEmpty()
                ? CompletableFuture.completedFuture(part)
                : inLines(part.look).thenApply(part::and));
        CompletableFuture<Part> lines = inLines(others);
        CompletableFuture<Map<String, ClaimStatus>> result = new CompletableFuture<>();
        locks.thenCombine(lines, Part::and).whenComplete((part, error) -> {
            if (error != null) {
                result.completeExceptionally(
                        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error);
            } else if (part.unsafe != null && part.isUnknown()) {
                result.completeExceptionally(part.unsafe);
            } else if (part.refused == null) {
                result.complete(part.statuses);
            } else if (part.answered) {
                log.warn("What can't be renewed is lost: {}", part.refused.getMessage());
                result.complete(part.statuses);
            } else {
                result.completeExceptionally(part.refused);
            }
        });
        return result;
    }

    /** What most claims of a client have in common, so that it is sent once. */
    private record Alike(Duration lease, int holds) {

        static Alike of(Claim claim) {
            return new Alike(claim.lease(), claim.holds());
        }
    }

    /**
     * What became of some of the claims.
     *
     * @param look those that a script for plain locks could not judge
     * @param answered whether the server has answered for any of them
     * @param refused its last word on others
     * @param unsafe why others don't count; they are {@link ClaimStatus#UNKNOWN}
     */
    private record Part(
            Map<String, ClaimStatus> statuses,
            List<Claim> look,
            boolean answered,
            @Nullable StoreRefusedException refused,
            @Nullable NotReplicatedException unsafe) {

        static final Part NOTHING = new Part(Map.of(), List.of(), false, null, null);

        static Part unsafe(List<Claim> claims, NotReplicatedException why) {
            Map<String, ClaimStatus> statuses = new HashMap<>();
            claims.forEach(claim -> statuses.put(claim.id(), ClaimStatus.UNKNOWN));
            return new Part(statuses, List.of(), false, null, why);
        }

        /** Whether it is not known of any. */
        boolean isUnknown() {
            return !answered && refused == null;
        }

        private boolean isNothing() {
            return statuses.isEmpty() && look.isEmpty() && isUnknown() && unsafe == null;
        }

        Part and(Part other) {
            if (isNothing() || other.isNothing()) {
                return isNothing() ? other : this;
            }
            Map<String, ClaimStatus> both = new HashMap<>(statuses);
            both.putAll(other.statuses);
            List<Claim> looks = new ArrayList<>(look);
            looks.addAll(other.look);
            return new Part(
                    both,
                    looks,
                    answered || other.answered,
                    refused == null ? other.refused : refused,
                    unsafe == null ? other.unsafe : unsafe);
        }
    }

    /** Those of one lease apart from others, as the length of it can decide whether they count. */
    private CompletableFuture<Part> inLines(List<Claim> claims) {
        Map<Duration, List<Claim>> leases = new LinkedHashMap<>();
        claims.forEach(claim -> leases.computeIfAbsent(claim.lease(), lease -> new ArrayList<>())
                .add(claim));
        CompletableFuture<Part> all = CompletableFuture.completedFuture(Part.NOTHING);
        for (List<Claim> ofOneLease : leases.values()) {
            all = all.thenCombine(inBatches(ofOneLease, LINES_AT_ONCE, this::lines), Part::and);
        }
        return all;
    }

    private static CompletableFuture<Part> inBatches(
            List<Claim> claims, int size, Function<List<Claim>, CompletableFuture<Part>> send) {
        CompletableFuture<Part> all = CompletableFuture.completedFuture(Part.NOTHING);
        for (int from = 0; from < claims.size(); from += size) {
            List<Claim> batch = claims.subList(from, Math.min(claims.size(), from + size));
            all = all.thenCombine(orApart(batch, send), Part::and);
        }
        return all;
    }

    /**
     * Sends a batch; if the server refuses it for one of its keys, which it does as a whole, each half of it alone. What
     * is refused while others are not is left out of the answer, and so is lost for its holder; the server keeps it until
     * its lease ends, so that nobody else has it any sooner.
     */
    private static CompletableFuture<Part> orApart(
            List<Claim> claims, Function<List<Claim>, CompletableFuture<Part>> send) {
        return send.apply(claims).exceptionallyCompose(error -> {
            Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            if (cause instanceof NotReplicatedException why) {
                return CompletableFuture.completedFuture(Part.unsafe(claims, why));
            }
            if (!(cause instanceof StoreRefusedException refused) || refused.retryable()) {
                return CompletableFuture.failedFuture(error);
            }
            if (claims.size() == 1) {
                return CompletableFuture.completedFuture(new Part(Map.of(), List.of(), false, refused, null));
            }
            int half = claims.size() / 2;
            return orApart(claims.subList(0, half), send)
                    .thenCombine(orApart(claims.subList(half, claims.size()), send), Part::and);
        });
    }

    /** @param claims with the same lease and holds */
    private CompletableFuture<Part> plain(List<Claim> claims) {
        Claim first = claims.get(0);
        int number = claims.size();
        boolean withRecords = isTimeForRecords(first.lease().toNanos());
        String[] keys = new String[withRecords ? 2 * number : number];
        String[] args = new String[3 + number];
        args[0] = kept;
        args[1] = Arguments.millis(first);
        args[2] = Arguments.holds(first);
        for (int i = 0; i < number; i++) {
            Claim claim = claims.get(i);
            Keys its = Keys.of(claim.type(), claim.name());
            keys[i] = its.holders();
            if (withRecords) {
                keys[number + i] = its.record();
            }
            args[3 + i] = Arguments.id(claim);
        }
        return run(Script.RENEW, claims, keys, args, answer -> heldBut(claims, answer));
    }

    /**
     * Records outlive the lease by far, so a few times a day is enough for them: for as long that every claim which stays is
     * renewed meanwhile, since it would have run out otherwise.
     */
    private boolean isTimeForRecords(long leaseNanos) {
        long period = keptNanos / 4;
        long stretch = Math.max(SHORTEST_STRETCH_NANOS, 2 * leaseNanos);
        return Math.floorMod(nanos.getAsLong() - openedAt, period) >= period - stretch;
    }

    private static Part heldBut(List<Claim> claims, Answer answer) {
        Map<String, ClaimStatus> statuses = new HashMap<>(claims.size() * 4 / 3 + 1);
        List<Claim> look = new ArrayList<>(answer.size());
        for (Claim claim : claims) {
            statuses.put(claim.id(), ClaimStatus.HELD);
        }
        for (int i = 0; i < answer.size(); i++) {
            Claim claim = claims.get((int) answer.number(i) - 1);
            statuses.remove(claim.id());
            look.add(claim);
        }
        return new Part(statuses, look, true, null, null);
    }

    private CompletableFuture<Part> lines(List<Claim> claims) {
        List<String> keys = new ArrayList<>(5 * claims.size());
        List<String> args = new ArrayList<>(7 * claims.size() + 2);
        Collections.addAll(args, kept, ticket);
        for (Claim claim : claims) {
            Collections.addAll(keys, Keys.of(claim.type(), claim.name()).line());
            Collections.addAll(
                    args,
                    Arguments.id(claim),
                    Arguments.millis(claim),
                    Arguments.holds(claim),
                    ClaimDetail.letter(claim.mode()),
                    Arguments.permits(claim),
                    Arguments.compatibleWith(claim),
                    claim.grantOnRelease() && claim.policy().barges() ? "b" : "");
        }
        return run(
                Script.RENEW_LINE,
                claims,
                keys.toArray(String[]::new),
                args.toArray(String[]::new),
                answer -> statuses(claims, answer));
    }

    private static Part statuses(List<Claim> claims, Answer answer) {
        Map<String, ClaimStatus> statuses = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            ClaimStatus status = switch (answer.text(i)) {
                case "held" -> ClaimStatus.HELD;
                case "waiting" -> ClaimStatus.WAITING;
                case "called" -> ClaimStatus.TURN_REACHED;
                default -> null; // gone
            };
            if (status != null) {
                statuses.put(claims.get(i).id(), status);
            }
        }
        return new Part(statuses, List.of(), true, null, null);
    }

    private CompletableFuture<Part> run(
            Script script, List<Claim> claims, String[] keys, String[] args, Function<Answer, Part> read) {
        Claim first = claims.get(0);
        String what = claims.size() == 1 ? first.label() : "Renewing " + claims.size() + " locks";
        // A replica that is promoted without a renewal would let the lock go while its holder believes in it.
        return servers.run(Request.of(what, script, keys, args, read)
                .replicatedIf(part -> part.statuses.containsValue(ClaimStatus.HELD), first.lease()));
    }
}
