package io.holdfast.cas;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How long the claims of one name have been seen unchanged, by this process's monotonic clock.
 *
 * <p>A claim was last set at some moment <i>s</i>, and its holder counts from before <i>s</i>. This client sees that beat number at some
 * moment <i>r</i> after <i>s</i>. Once it has been the same for a whole lease from <i>r</i> on, the lease has ended for its holder as well;
 * and a write that expects the value with that number can't hit a claim that was renewed meanwhile. What this costs: a client that
 * comes after a holder has died waits for a whole lease, not for what was left of it.
 */
final class Sightings {

    private record Sighting(Stamp beat, long seenAt) {}

    private final Map<String, Sighting> sightings = new HashMap<>();
    private Entry last = new Entry(new byte[0], 0);
    private long changedAt;

    /** An answer that came at this moment shows the line. */
    void see(Entry entry, StoredLine line, long now) {
        if (entry.equals(last)) {
            return;
        }
        last = entry;
        changedAt = now;
        Set<String> there = new HashSet<>();
        line.holders().forEach(one -> see("h" + one.id(), one, now, there));
        line.queue().forEach(one -> see("q" + one.id(), one, now, there));
        sightings.keySet().retainAll(there);
    }

    private void see(String key, StoredEntry entry, long now, Set<String> there) {
        there.add(key);
        Sighting sighting = sightings.get(key);
        if (sighting == null || !sighting.beat.equals(entry.beat())) {
            sightings.put(key, new Sighting(entry.beat(), now));
        }
    }

    /** When the value was first seen as it is now. */
    long changedAt() {
        return changedAt;
    }

    /** When the holder's lease has ended at the latest. */
    long holderEnds(StoredEntry entry, long now) {
        return seenAt("h" + entry.id(), now) + entry.nanos();
    }

    /** When the ticket has ended, if it was not kept since it was taken. */
    long ticketEnds(StoredEntry entry, long now) {
        return seenAt("q" + entry.id(), now) + entry.nanos();
    }

    private long seenAt(String key, long now) {
        Sighting sighting = sightings.get(key);
        return sighting == null ? now : sighting.seenAt;
    }
}
