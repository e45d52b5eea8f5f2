package io.holdfast.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Since when no client can have left a replica out of the barrier. That takes most of the sentinels, which have to take it
 * for down; so where so many have heard it all the time that the rest are not most, no client was told so.
 *
 * <p>A sentinel takes a replica for down when it has not answered for a time, and tells how long ago it last did. So whoever
 * asks often enough knows that it was not taken for down in between either.
 */
final class Attendance {

    private record Key(Address sentinel, Address master, Address replica) {}

    /**
     * @param since when the sentinel has first been seen to hear it, without a break
     * @param heardAt no later than when the sentinel last heard it
     */
    private record Heard(long since, long heardAt, long downAfterNanos) {}

    private final int enough;
    private final Map<Key, Heard> heard = new HashMap<>();

    /** @param sentinels how many there are in all */
    Attendance(int sentinels) {
        this.enough = sentinels - sentinels / 2;
    }

    /** What a sentinel has answered to a question; the times are of the monotonic clock. */
    void said(Address sentinel, SentinelView view, long askedAt, long answeredAt) {
        for (SentinelView.Replica replica : view.replicas()) {
            Key key = new Key(sentinel, view.master(), replica.address());
            if (!replica.reached()) {
                heard.remove(key);
                continue;
            }
            long age = TimeUnit.MILLISECONDS.toNanos(replica.silentMillis());
            long downAfter = TimeUnit.MILLISECONDS.toNanos(replica.downAfterMillis());
            Heard before = heard.get(key);
            long since = before != null && answeredAt - age - before.heardAt < downAfter ? before.since : answeredAt;
            heard.put(key, new Heard(since, askedAt - age, downAfter));
        }
        heard.keySet()
                .removeIf(key -> key.sentinel.equals(sentinel)
                        && key.master.equals(view.master())
                        && view.replicas().stream()
                                .noneMatch(replica -> replica.address().equals(key.replica)));
    }

    /** Since when, by the sentinels that named that master then; {@code null} if it can't be said. */
    @Nullable
    Long since(Address master, Address replica, long now) {
        List<Long> sinces = heard.entrySet().stream()
                .filter(entry -> entry.getKey().master.equals(master)
                        && entry.getKey().replica.equals(replica)
                        && now - entry.getValue().heardAt < entry.getValue().downAfterNanos)
                .map(entry -> entry.getValue().since - now)
                .sorted()
                .toList();
        return sinces.size() < enough ? null : now + sinces.get(enough - 1);
    }

    /** Nothing more is asked of other masters. */
    void forgetOthers(Address master) {
        heard.keySet().removeIf(key -> !key.master.equals(master));
    }
}
