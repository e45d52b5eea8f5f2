package io.holdfast.redis;

import io.holdfast.redis.SentinelView.Replica;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the sentinels say together. The newest configuration is believed, and none that is older than one that was seen:
 * some hear of a failover later than others. A replica counts unless a majority can't reach it: then nobody else could make
 * it the master either. Those who are cut off with an old master and some of its replicas are no majority.
 */
final class SentinelViews {

    private final int sentinels;
    private final ReentrantLock lock = new ReentrantLock();
    private long epoch;
    private @Nullable Address now;
    private @Nullable Address before;

    /** @param promotable how many replicas could be promoted; at least one if there ever was any */
    record Found(Address master, int promotable) {}

    /** @param sentinels how many there are in all */
    SentinelViews(int sentinels) {
        this.sentinels = sentinels;
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
            if (!newest.master().equals(now)) {
                before = now;
                now = newest.master();
            }
            return Optional.of(new Found(newest.master(), promotable(agreeing, sentinels, before)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param views of those who agree on the master
     * @param before the master that was replaced, if that is known
     */
    private static int promotable(List<SentinelView> views, int sentinels, @Nullable Address before) {
        Set<Address> listed = new HashSet<>();
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
                // The old master is listed from the moment it is replaced, but follows only when it is told to.
                if (replica.followed() || !replica.address().equals(before)) {
                    listed.add(replica.address());
                    if (replica.reached() && !replica.isLeftBehind()) {
                        able.add(replica.address());
                    }
                }
            }
        }
        // After a failover, all are listed anew. One that nobody has heard of since may be the old master,
        // if that is not known to be another; two are not.
        boolean mayBeTheOldOne = before == null || unheardOf.contains(before);
        any |= unheardOf.size() > (mayBeTheOldOne ? 1 : 0);
        boolean most = views.size() > sentinels / 2;
        int promotable = (most ? able : listed).size();
        // A sentinel that is set up anew knows of no replica yet, so that there is none is for most of them to say.
        return any || !most ? Math.max(1, promotable) : 0;
    }
}
