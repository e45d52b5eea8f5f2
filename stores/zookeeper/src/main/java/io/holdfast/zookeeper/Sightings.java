package io.holdfast.zookeeper;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long nodes have been seen unchanged, by this process's monotonic clock.
 *
 * <p>ZooKeeper has no clock for leases, and no two machines' clocks are compared here. A claim was last set at some moment
 * <i>s</i>, and its holder counts from before <i>s</i>. Another client sees that version at some moment <i>r</i> after
 * <i>s</i>. Once it has been the same version for a whole lease from <i>r</i> on, the lease has ended for its holder as
 * well; and a deletion on the condition that it is still that version can't hit one that was renewed meanwhile. What this
 * costs: a client that comes after a holder has died waits for a whole lease, not for what was left of it.
 */
class Sightings {

    private static final int ROOM = 100_000;

    record Sighting(int version, long seenAt, long nanos) {}

    private final Recent<Sighting> sightings = new Recent<>(ROOM);
    private final LongSupplier clock;

    Sightings(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * An answer shows the node in this version.
     *
     * @return how many nanoseconds it lasts still, as far as can be told from here; none or less if it is over
     */
    long seen(String path, int version, long millis) {
        Sighting last = last(path);
        if (last == null || last.version != version) {
            last = new Sighting(version, clock.getAsLong(), TimeUnit.MILLISECONDS.toNanos(millis));
            keep(path, last);
        }
        return left(last);
    }

    /** How long it lasts at least by what was seen of it; none if it is time to look. */
    long left(String path) {
        Sighting last = last(path);
        return last == null ? 0 : Math.max(0, left(last));
    }

    /** What was last kept of the node, if it is remembered. */
    @Nullable
    Sighting last(String path) {
        return sightings.get(path);
    }

    /** The node was seen for the first time, or in another version than before. */
    void keep(String path, Sighting sighting) {
        sightings.put(path, sighting);
    }

    void forget(String path) {
        sightings.remove(path);
    }

    int size() {
        return sightings.size();
    }

    private long left(Sighting sighting) {
        return sighting.nanos - (clock.getAsLong() - sighting.seenAt);
    }
}
