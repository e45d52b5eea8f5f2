package io.holdfast.jdbc;

import io.holdfast.StoreRefusedException;
import io.holdfast.spi.Claim;
import io.holdfast.spi.ClaimResult;
import io.holdfast.spi.ClaimStatus;
import io.holdfast.spi.Mode;
import io.holdfast.spi.ReleaseResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the store does to claims, each with a connection. A claim for the whole lock is tried with one statement first, on the
 * lock's row alone or, where others wait, on the ends of its queue; what that can't decide goes through {@link Lines}.
 */
final class Claims {

    private static final int TRIES = 3;

    /** How many names one transaction locks at once. */
    private static final int AT_ONCE = 64;

    /** How many names are remembered as contended. */
    private static final int MOST_CONTENDED = 1_000;

    private final Dialect dialect;
    private final Errors errors;
    private final Transactions transactions;
    private final Lines lines;
    private final Tickets tickets;
    private final AppliedChanges changes;
    private final Watchers watches;
    private final Signals signals;

    /** Names for which other claims waited when they were last claimed or released here. */
    private final Set<String> contended = ConcurrentHashMap.newKeySet();

    Claims(
            Dialect dialect,
            Errors errors,
            Transactions transactions,
            Lines lines,
            Tickets tickets,
            AppliedChanges changes,
            Watchers watches,
            Signals signals) {
        this.dialect = dialect;
        this.errors = errors;
        this.transactions = transactions;
        this.lines = lines;
        this.tickets = tickets;
        this.changes = changes;
        this.watches = watches;
        this.signals = signals;
    }

    ClaimResult claim(Connection connection, Claim claim) throws SQLException {
        boolean queues = claim.policy().queues();
        ClaimResult outcome = null;
        if (isPlain(claim) && !(queues && isContended(claim))) {
            outcome = tryWith(dialect::claim, connection, claim);
        }
        if (outcome == null && isPlain(claim) && queues) {
            outcome = tryWith(dialect::queue, connection, claim);
        }
        if (outcome == null) {
            outcome = claimInLine(connection, claim);
        }
        return noted(claim, outcome);
    }

    /** Whether it can be claimed together with others. */
    boolean isGathered(Claim claim) {
        return isReleasedTogether(claim) && !(claim.policy().queues() && isContended(claim));
    }

    /** Whether it can be released together with others. */
    boolean isReleasedTogether(Claim claim) {
        return dialect.gathers() && isPlain(claim) && !signals.isWaiting(claim.id());
    }

    /** Whether the claim waits, or would have to. */
    private boolean isContended(Claim claim) {
        return signals.isWaiting(claim.id()) || contended.contains(claim.name());
    }

    /** Claims and releases several locks of different names at once; the answer lacks what can't be told in that way. */
    GroupCommit.Answers changeAll(Connection connection, List<Claim> claims, List<Claim> releases) throws SQLException {
        releases.forEach(claim -> signals.isOver(claim.id()));
        Dialect.Changed changed = dialect.changeAll(connection, claims, releases, watches.me());
        GroupCommit.Answers answers = new GroupCommit.Answers(new HashMap<>(), new HashMap<>());
        for (Claim claim : claims) {
            ClaimResult outcome = outcome(claim, changed.claimed().get(claim.name()));
            if (outcome != null) {
                answers.outcomes().put(claim.id(), noted(claim, outcome));
            }
        }
        for (Claim claim : releases) {
            Dialect.Freed freed = changed.freed().get(claim.name());
            if (freed != null) {
                answers.releases().put(claim.id(), released(claim, freed));
            }
        }
        return answers;
    }

    private ClaimResult noted(Claim claim, ClaimResult outcome) {
        if (outcome instanceof ClaimResult.Granted) {
            signals.waitsNoMore(claim.id());
            if (claim.revocable()) {
                signals.revocable(claim);
            }
        } else if (claim.policy().queues()) {
            noteContended(claim, true);
            signals.waits(claim);
        } else {
            signals.isOver(claim.id());
        }
        return outcome;
    }

    private void noteContended(Claim claim, boolean isContended) {
        if (claim.mode() != Mode.EXCLUSIVE) {
            return;
        }
        if (!isContended) {
            contended.remove(claim.name());
        } else if (contended.size() < MOST_CONTENDED) {
            contended.add(claim.name());
        }
    }

    private static boolean isPlain(Claim claim) {
        return claim.mode() == Mode.EXCLUSIVE && claim.compatibleWith() == null;
    }

    /** One statement that claims. */
    private interface Attempt {
        Dialect.@Nullable Answer run(Connection connection, Claim claim) throws SQLException;
    }

    /** {@code null} if that does not tell. */
    private static @Nullable ClaimResult tryWith(Attempt attempt, Connection connection, Claim claim)
            throws SQLException {
        for (int i = 0; i < TRIES; i++) {
            Dialect.Answer answer = attempt.run(connection, claim);
            if (!(answer instanceof Dialect.Answer.Unclear)) {
                return outcome(claim, answer);
            }
        }
        return null;
    }

    /** {@code null} if the lock's row does not tell. */
    private static @Nullable ClaimResult outcome(Claim claim, Dialect.@Nullable Answer answer) {
        if (answer instanceof Dialect.Answer.Granted granted) {
            return new ClaimResult.Granted(granted.token());
        }
        if (answer instanceof Dialect.Answer.Busy busy) {
            // With others about, one that gives way has to know whether they wait.
            boolean told = !claim.policy().queues() && (claim.policy().barges() || !busy.hasOthers());
            return told ? new ClaimResult.Busy(Micros.duration(busy.timeLeft())) : null;
        }
        if (answer instanceof Dialect.Answer.Queued queued) {
            return new ClaimResult.Busy(Micros.duration(queued.timeLeft()));
        }
        return null;
    }

    private ClaimResult claimInLine(Connection connection, Claim claim) throws SQLException {
        Claimed claimed = changeFor(connection, claim, true, line -> {
                    ClaimResult outcome = line.claim(claim);
                    return outcome == null ? new Claimed(null, line.refusal(claim)) : new Claimed(outcome, null);
                })
                .result();
        if (claimed.refusal != null) {
            signals.isOver(claim.id());
            throw claimed.refusal;
        }
        return Objects.requireNonNull(claimed.outcome);
    }

    /** What came of a claim: either the outcome, or why it is refused, which is thrown when the rows are written. */
    private record Claimed(
            @Nullable ClaimResult outcome, @Nullable StoreRefusedException refusal) {}

    /**
     * Renews claims; {@link ClaimStatus#UNKNOWN} are those whose row somebody has locked and does not let go within a moment.
     */
    Map<String, ClaimStatus> renew(Connection connection, List<Claim> claims) throws SQLException {
        Map<String, ClaimStatus> statuses = new HashMap<>();
        renewPlainly(connection, claims, statuses);
        renewTickets(connection, claims, statuses);
        Map<Integer, List<Claim>> others = new LinkedHashMap<>();
        for (Claim claim : claims) {
            // A claim that neither queues nor shares is in the lock's row or nowhere.
            if (!statuses.containsKey(claim.id())
                    && !(isPlain(claim) && !claim.policy().queues())) {
                others.computeIfAbsent(Key.code(claim.type()), kind -> new ArrayList<>())
                        .add(claim);
            }
        }
        for (Map.Entry<Integer, List<Claim>> kind : others.entrySet()) {
            List<Claim> all = kind.getValue();
            for (int from = 0; from < all.size(); from += AT_ONCE) {
                renewInLine(
                        connection, kind.getKey(), all.subList(from, Math.min(all.size(), from + AT_ONCE)), statuses);
            }
        }
        for (Claim claim : claims) {
            ClaimStatus status = statuses.get(claim.id());
            if (status == null) {
                signals.isOver(claim.id());
            } else if (status == ClaimStatus.HELD) {
                signals.waitsNoMore(claim.id());
            }
        }
        return statuses;
    }

    /** Renews those that have a lock for themselves, all with one batch. */
    private void renewPlainly(Connection connection, List<Claim> claims, Map<String, ClaimStatus> statuses)
            throws SQLException {
        List<Claim> plain = claims.stream()
                .filter(claim -> isPlain(claim) && !signals.isWaiting(claim.id()))
                .sorted(Comparator.comparing(Claim::name))
                .toList();
        if (plain.isEmpty()) {
            return;
        }
        Commands.Work<int[]> update = c -> {
            try (Bound renew = dialect.sql("renew").on(c)) {
                for (Claim claim : plain) {
                    renew.set("name", Key.bytes(claim.name()))
                            .set("id", claim.id())
                            .set("lease", Micros.of(claim.lease()))
                            .set("holds", claim.holds())
                            .batch();
                }
                return renew.runBatch();
            }
        };
        int[] counts;
        try {
            counts = plain.size() == 1 ? update.run(connection) : transactions.run(connection, update);
        } catch (SQLException e) {
            if (!errors.isLocked(e)) {
                throw e;
            }
            dialect.endStalled(connection);
            renewUnlocked(connection, Key.LOCK, plain, statuses);
            return;
        }
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                statuses.put(plain.get(i).id(), ClaimStatus.HELD);
            }
        }
    }

    /** Renews those that are known to wait for a lock, without the lock's row. */
    private void renewTickets(Connection connection, List<Claim> claims, Map<String, ClaimStatus> statuses)
            throws SQLException {
        List<Claim> waiting = claims.stream()
                .filter(claim -> Tickets.isFor(claim) && signals.isWaiting(claim.id()))
                .toList();
        if (waiting.isEmpty()) {
            return;
        }
        try {
            statuses.putAll(tickets.renew(connection, waiting));
        } catch (SQLException e) {
            if (!errors.isLocked(e)) {
                throw e;
            }
            dialect.endStalled(connection); // those in the way are found one by one
        }
    }

    private void renewInLine(Connection connection, int kind, List<Claim> claims, Map<String, ClaimStatus> statuses)
            throws SQLException {
        try {
            statuses.putAll(lines.change(connection, kind, names(claims), false, found -> renewAll(found, claims))
                    .result());
        } catch (SQLException e) {
            if (!errors.isLocked(e)) {
                throw e;
            }
            dialect.endStalled(connection);
            renewUnlocked(connection, kind, claims, statuses);
        }
    }

    /** Renews those whose rows nobody has locked, without waiting: halves, and halves of them, until they are found. */
    private void renewUnlocked(Connection connection, int kind, List<Claim> claims, Map<String, ClaimStatus> statuses)
            throws SQLException {
        if (claims.size() <= AT_ONCE) {
            try {
                statuses.putAll(lines.changeNow(connection, kind, names(claims), found -> renewAll(found, claims))
                        .result());
                return;
            } catch (SQLException e) {
                if (!errors.isLocked(e)) {
                    throw e;
                }
            }
            if (claims.size() == 1) {
                statuses.put(claims.get(0).id(), ClaimStatus.UNKNOWN);
                return;
            }
        }
        int half = claims.size() / 2;
        renewUnlocked(connection, kind, claims.subList(0, half), statuses);
        renewUnlocked(connection, kind, claims.subList(half, claims.size()), statuses);
    }

    private static List<String> names(List<Claim> claims) {
        return claims.stream().map(Claim::name).toList();
    }

    private static Map<String, ClaimStatus> renewAll(Map<String, Line> found, List<Claim> claims) {
        Map<String, ClaimStatus> statuses = new HashMap<>();
        for (Claim claim : claims) {
            Line line = found.get(claim.name());
            ClaimStatus status = line == null || !line.exists ? null : line.renew(claim);
            if (status != null) {
                statuses.put(claim.id(), status);
            }
        }
        return statuses;
    }

    ReleaseResult release(Connection connection, Claim claim) throws SQLException {
        boolean waits = signals.isWaiting(claim.id());
        signals.isOver(claim.id());
        Dialect.Freed freed = isPlain(claim) && !waits ? dialect.release(connection, claim, watches.me()) : null;
        if (freed != null) {
            return released(claim, freed);
        }
        Lines.Done<Boolean> done = changeFor(connection, claim, false, line -> line.exists && line.release(claim));
        boolean contended = done.result() && done.isHeard();
        noteContended(claim, contended);
        return new ReleaseResult(done.result(), contended);
    }

    private ReleaseResult released(Claim claim, Dialect.Freed freed) {
        watches.changed(Key.of(claim.type(), claim.name()));
        noteContended(claim, freed.isContended());
        if (freed.called() != null) {
            watches.called(freed.called());
        } else if (freed.isContended()) {
            signals.released(claim.name());
        }
        return new ReleaseResult(true, freed.isContended());
    }

    boolean forceRelease(Connection connection, Key key, OptionalLong token) throws SQLException {
        Lines.Step<Boolean> step = found -> only(found).exists && only(found).forceRelease(token);
        return (key.kind() == Key.LOCK
                        ? lines.changeFor(connection, "", key.name(), false, step)
                        : lines.change(connection, key.kind(), List.of(key.name()), false, step))
                .result();
    }

    /** The answer is whether they were lower before. */
    boolean raiseTokens(Connection connection, long above) throws SQLException {
        return transactions.run(connection, c -> {
            try (Bound floor = dialect.sql("token_floor").on(c)) {
                return floor.set("token", above).update() > 0;
            }
        });
    }

    int addPermits(Connection connection, String name, String id, int by, int capacity) throws SQLException {
        Key key = new Key(Key.SEMAPHORE, name);
        // Whether it was added before is decided by the row that says so; a repetition waits for the first to be done.
        return lines.change(connection, Key.SEMAPHORE, List.of(name), true, found -> {
                    return only(found).addPermits(id, by, capacity, changes.tryNote(connection, key, id));
                })
                .result();
    }

    /** What is done to the line of one claim's name. */
    private interface OnLine<T> {
        T run(Line line);
    }

    private <T> Lines.Done<T> changeFor(Connection connection, Claim claim, boolean make, OnLine<T> step)
            throws SQLException {
        Lines.Step<T> onLine = found -> step.run(only(found));
        return claim.mode() == Mode.EXCLUSIVE
                ? lines.changeFor(connection, claim.id(), claim.name(), make, onLine)
                : lines.change(connection, Key.code(claim.type()), List.of(claim.name()), make, onLine);
    }

    private static Line only(Map<String, Line> found) {
        return found.values().iterator().next();
    }
}
