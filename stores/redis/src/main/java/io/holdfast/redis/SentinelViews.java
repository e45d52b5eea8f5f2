package io.holdfast.redis;

import io.holdfast.redis.SentinelView.Replica;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the sentinels say together. The newest configuration is believed, and none that is older than one that was seen:
 * some hear of a failover later than others. A replica counts unless a majority can't reach it: then nobody else could make
 * it the master either. Those who are cut off with an old master and some of its replicas are no majority.
 */
final class SentinelViews {

    private final int sentinels;
    private final LongSupplier nanos;
    private final Attendance attendance;
    private final ReentrantLock lock = new ReentrantLock();
    private long epoch;
    private @Nullable Address master;
    private @Nullable Address before;

    /** Since when the master was left out of no barrier while it was a replica, as it was known when it was replaced. */
    private @Nullable Long includedSince;

    /** @param epoch of the configuration that says so */
    record Found(Address master, long epoch, Roster roster) {}

    /**
     * @param sentinels how many there are in all
     * @param nanos the monotonic clock
     */
    SentinelViews(int sentinels, LongSupplier nanos) {
        this.sentinels = sentinels;
        this.nanos = nanos;
        this.attendance = new Attendance(sentinels);
    }

    /** One sentinel has answered a question of that time. */
    SentinelView said(Address sentinel, SentinelView view, long askedAt) {
        lock.lock();
        try {
            attendance.said(sentinel, view, askedAt, nanos.getAsLong());
            return view;
        } finally {
            lock.unlock();
        }
    }

    /** What these say; nothing if they all are behind what is known, unless no sentinel is left that could know better. */
    Optional<Found> newest(List<SentinelView> views) {
        SentinelView newest = views.stream()
                .max(Comparator.comparingLong(SentinelView::epoch))
                .orElseThrow();
        List<SentinelView> agreeing = views.stream()
                .filter(view -> view.master().equals(newest.master()))
                .toList();
        lock.lock();
        try {
            // Sentinels that are set up anew begin to count anew.
            if (newest.epoch() < epoch && views.size() < sentinels) {
                return Optional.empty();
            }
            epoch = newest.epoch();
            if (!newest.master().equals(master)) {
                replaced(newest.master());
            }
            return Optional.of(new Found(newest.master(), epoch, roster(newest.master(), agreeing)));
        } finally {
            lock.unlock();
        }
    }

    private void replaced(Address next) {
        before = master;
        master = next;
        includedSince = before == null ? null : attendance.since(before, next, nanos.getAsLong());
        attendance.forgetOthers(next);
    }

    /** @param views of those who agree on the master */
    private Roster roster(Address now, List<SentinelView> views) {
        Set<Address> listed = new HashSet<>();
        Set<Address> others = new HashSet<>();
        for (SentinelView view : views) {
            for (Replica replica : view.replicas()) {
                others.add(replica.address());
                if (mayCount(replica)) {
                    listed.add(replica.address());
                }
            }
        }
        boolean most = views.size() > sentinels / 2;
        return new Roster(
                promotable(views, listed.size(), most),
                listed,
                others,
                most,
                masterFor(views),
                includedSince,
                allIncludedSince(now, listed));
    }

    /** The old master is listed from the moment it is replaced, but follows only when it is told to. */
    private boolean mayCount(Replica replica) {
        return replica.followed() || !replica.address().equals(before);
    }

    /** For how long most of them have named it: who asks most of all hears of it from one of these. */
    private long masterFor(List<SentinelView> views) {
        return views.stream()
                .map(SentinelView::masterForMillis)
                .sorted(Comparator.reverseOrder())
                .skip(sentinels / 2)
                .findFirst()
                .orElse(0L);
    }

    private @Nullable Long allIncludedSince(Address now, Set<Address> listed) {
        Long latest = null;
        for (Address replica : listed) {
            Long since = attendance.since(now, replica, nanos.getAsLong());
            if (since == null) {
                return null;
            }
            latest = latest == null || since - latest > 0 ? since : latest;
        }
        return latest;
    }

    private int promotable(List<SentinelView> views, int listed, boolean most) {
        Set<Address> able = new HashSet<>();
        Set<Address> unheardOf = new HashSet<>();
        boolean any = false;
        for (SentinelView view : views) {
            for (Replica replica : view.replicas()) {
                if (replica.reached() || replica.followed()) {
                    any = true;
                } else {
                    unheardOf.add(replica.address());
                }
                if (mayCount(replica) && replica.reached() && !replica.isLeftBehind()) {
                    able.add(replica.address());
                }
            }
        }
        // After a failover, all are listed anew. One that nobody has heard of since may be the old master,
        // if that is not known to be another; two are not.
        boolean mayBeTheOldOne = before == null || unheardOf.contains(before);
        any |= unheardOf.size() > (mayBeTheOldOne ? 1 : 0);
        int promotable = most ? able.size() : listed;
        // A sentinel that is set up anew knows of no replica yet, so that there is none is for most of them to say.
        return any || !most ? Math.max(1, promotable) : 0;
    }
}
