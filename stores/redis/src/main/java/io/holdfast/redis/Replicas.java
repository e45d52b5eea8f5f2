package io.holdfast.redis;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas of a master have to acknowledge, now, and what all of them have acknowledged.
 *
 * <p>A replica is left out only by what was said of it a moment ago: a client that can't ask any more doesn't know whether it
 * has been promoted.
 */
final class Replicas {

    /** For how long it counts that a replica was said to be down. */
    static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** More replicas than there are: nothing counts until it is known how many. */
    private static final int UNKNOWN = 1_000;

    private final ReplicationBarrier barrier;
    private final LongSupplier nanos;
    private volatile @Nullable Roster roster;
    private volatile long learntAt;
    private volatile String tenure = "";
    private volatile @Nullable Round lastByAll;

    /** A round of the barrier that all replicas have acknowledged. */
    private record Round(String tenure, Set<Address> replicas, long beganAt) {}

    Replicas(ReplicationBarrier barrier, LongSupplier nanos) {
        this.barrier = barrier;
        this.nanos = nanos;
    }

    void learnt(Roster said) {
        learntAt = nanos.getAsLong();
        roster = said;
    }

    @Nullable
    Roster roster() {
        return roster;
    }

    /** Nothing is missing in the tenure that the master is in now; empty where that is not so. */
    void settled(String tenure) {
        this.tenure = tenure;
    }

    /** Whether replicas have to know what is granted. */
    boolean any() {
        Roster known = roster;
        return barrier.required(known == null ? UNKNOWN : known.promotable()) > 0;
    }

    /** How many have to acknowledge what is granted or renewed. */
    int required() {
        Roster known = roster;
        if (known == null) {
            return barrier.required(UNKNOWN);
        }
        boolean fresh = nanos.getAsLong() - learntAt <= FRESH_NANOS;
        return barrier.required(
                fresh
                        ? known.promotable()
                        : Math.max(known.promotable(), known.listed().size()));
    }

    /** How many have to acknowledge that of which none may be left out. */
    int requiredOfAll() {
        Roster known = roster;
        return Math.max(required(), known == null ? 0 : known.listed().size());
    }

    /** Whether one is said to be down. */
    boolean isAnyDown() {
        Roster known = roster;
        return known != null && known.promotable() < known.listed().size();
    }

    /** So many have acknowledged what was there when the round began. */
    void acknowledged(int replicas, long beganAt) {
        Roster known = roster;
        String now = tenure;
        if (known != null && !now.isEmpty() && replicas >= known.listed().size()) {
            lastByAll = new Round(now, known.listed(), beganAt);
        }
    }

    /** Whether one round would show that all of its replicas have what has counted so far. */
    boolean isRoundDue() {
        Roster known = roster;
        Long since = known == null ? null : known.allIncludedSince();
        if (since == null || tenure.isEmpty()) {
            return false;
        }
        Round last = lastByAll;
        long from = since + FRESH_NANOS;
        return nanos.getAsLong() - from >= 0
                && (last == null || !last.tenure.equals(tenure) || last.beganAt - from < 0);
    }

    /** Whether the one that is the master now, then a replica, has acknowledged all that counted in that tenure. */
    boolean hadAll(Address master, String before) {
        Roster known = roster;
        Round last = lastByAll;
        Long since = known == null ? null : known.includedSince();
        return last != null
                && since != null
                && last.tenure.equals(before)
                && last.replicas.contains(master)
                && last.beganAt - (since + FRESH_NANOS) >= 0;
    }
}
